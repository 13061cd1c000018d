#!/bin/sh
# The page's TypeScript: format by prettier and rules by eslint, in the versions of src/serve/web/lint/package-lock.json.
# Usage: scripts/lint_page.sh FOLDER [--write]: FOLDER is for the packages; --write changes the files in place of a report.
set -eu
mkdir -p "$1"
tools=$(cd "$1" && pwd)
cd "$(dirname "$0")/../src/serve/web"
if ! cmp -s lint/package-lock.json "$tools/installed.json"; then
    cp lint/package.json lint/package-lock.json "$tools/"
    (cd "$tools" && npm ci --silent --no-audit --no-fund)
    cp lint/package-lock.json "$tools/installed.json"
fi
mode=--check
[ "${2:-}" != --write ] || mode=--write
"$tools/node_modules/.bin/prettier" --config lint/prettier.json --log-level warn $mode 'src/**/*.ts' 'test/*.ts' '*.ts'
LINT_TOOLS="$tools/package.json" "$tools/node_modules/.bin/eslint" --config lint/eslint.config.mjs src test ./*.ts
