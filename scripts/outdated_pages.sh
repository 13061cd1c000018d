#!/bin/sh
# Lists the pages of docs/papers that were made with other code than that of the tree; each page names the command that makes it.
# Nothing is changed; the exit status is 0.
set -eu
cd "$(dirname "$0")/.."
hash=$(cmake -DSOURCE=. -P cmake/code_hash.cmake)
for page in docs/papers/*.md; do
    made=$(sed -n 's/^| code | `\([0-9a-f]*\)`.*/\1/p' "$page" | head -n 1)
    date=$(sed -n 's/^| date | \([0-9-]*\).*/\1/p' "$page" | head -n 1)
    [ "$made" = "$hash" ] || echo "$page: made ${date:+on $date }with code ${made:-of unknown hash}; the tree is $hash"
done
