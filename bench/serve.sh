#!/bin/sh
# The server under measurement: speed (Munich, shadow with all default ways: answers a second at 20 m, time of a map of 5 m), browser (the
# same in Chromium, with a hand that drags; also how soon the page is ready, and its bytes), load (1000 connections, 100 requests a second
# for a minute), noise (a million broken requests).
# Usage: bench/serve.sh BUILD speed|browser|load|noise [COUNT | SECONDS]; data: RASTERWAVE_DATA. For a GPU: BACKEND=cuda.
set -eu
build=$(cd "$1" && pwd)
mode=$2
amount=${3:-}
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM

# start SCENE [options]: the server on a free port
start()
{
    scene=$1
    shift
    "$build/rasterwave" serve --root "$work" --port 0 --json --scene "$scene" --backend "${BACKEND:-auto}" "$@" >"$work/ready.txt" &
    server=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        port=$(sed -n 's|.*"url": "http://127.0.0.1:\([0-9]*\)/".*|\1|p' "$work/ready.txt")
        [ -z "$port" ] || return 0
        sleep 0.5
    done
    echo "serve.sh: the server did not start" >&2
    exit 1
}

client()
{
    "$build/rasterwave-serve-client" "$port" "$@"
}

small='{"project": {"tx": ["150,150,30"], "freq": "2GHz"}, "layer": "path_loss", "resolution": 20}'
case $mode in
speed)
    munich=${RASTERWAVE_DATA:-}/munich/Munich_buildings.res
    [ -f "$munich" ] || { echo "SKIPPED: speed of the server (no Munich in RASTERWAVE_DATA)"; exit 0; }
    start "$munich"
    project='"project": {"tx": ["@X,1381.27,13"], "freq": "947MHz"}, "layer": "path_loss"'
    printf 'cells of 20 m: '
    client speed "${amount:-10}" "{$project, \"resolution\": 20}"
    printf 'cells of 5 m: '
    client speed "${amount:-10}" "{$project, \"resolution\": 5}"
    ;;
browser)
    munich=${RASTERWAVE_DATA:-}/munich/Munich_buildings.res
    [ -f "$munich" ] || { echo "SKIPPED: the page under measurement (no Munich in RASTERWAVE_DATA)"; exit 0; }
    chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) && [ -d "$build/page/node_modules" ] ||
        { echo "SKIPPED: the page under measurement (no Chromium, or built without the page)"; exit 0; }
    cp -R "$(dirname "$0")/../src/serve/web/test" "$build/page/"
    cd "$build/page"
    node test/bundle.mjs speed
    CHROMIUM=$chromium RASTERWAVE=$build/rasterwave node test/out/speed/speed.mjs "$munich" "${amount:-10}"
    ;;
load)
    start city:grid:size=300m,300m
    client load 1000 100 "${amount:-60}" "$small" "$server"
    ;;
noise)
    start city:grid:size=100m,100m
    client noise "${amount:-1000000}" 1
    ;;
*)
    echo "Usage: bench/serve.sh BUILD speed|browser|load|noise [COUNT | SECONDS]" >&2
    exit 2
    ;;
esac
