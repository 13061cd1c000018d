#!/bin/sh
# labels: documents
# The documentation site builds: no broken reference, every public call documented.
# Usage: docs.sh SOURCE_FOLDER PROGRAM SCRATCH_FOLDER
command -v doxygen >/dev/null 2>&1 || { echo "SKIPPED: docs (no doxygen)"; exit 77; }
exec sh "$1/scripts/docs.sh" "$2" "$3"
