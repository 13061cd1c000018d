#!/bin/sh
# Takes the public interface as it is now for the one that tests hold. Say what changed in CHANGELOG.md.
# Usage: scripts/abi_update.sh
set -eu
cd "$(dirname "$0")/.."
scripts/interface.sh >tests/repository/interface.txt
git --no-pager diff --stat -- tests/repository/interface.txt
