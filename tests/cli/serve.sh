# The server: everything that its OpenAPI document lists, the examples of the documentation, the same map as the command line's,
# safety, jobs that are cancelled, and an end by kill -9.
. "$2/tests/support/cli.sh"
if ! has_library microhttpd; then
    refuses 2 "this build has no server" rasterwave serve
    [ "$failures" = 0 ] && echo "SKIPPED: serve (this build has no libmicrohttpd)" && exit 77
    finish
fi
for tool in curl python3; do
    command -v $tool >/dev/null || { echo "SKIPPED: serve (no $tool)"; exit 77; }
done
server=
trap '[ -z "$server" ] || kill -9 $server 2>/dev/null; rm -rf "$scratch"' EXIT

# start OPTIONS...: the server on a free port; its address is in U
start()
{
    : >ready.txt # not the address of the server before
    rasterwave serve --port 0 --json --root root "$@" >ready.txt 2>said.txt &
    server=$!
    for i in $(seq 200); do
        U=$(sed -n 's|.*"url": "\(http://[^"]*[0-9]\)/.*|\1|p' ready.txt)
        [ -z "$U" ] || return 0
        kill -0 $server 2>/dev/null || break
        sleep 0.05
    done
    fail "the server does not start: $(cat said.txt)"
    finish
}

# status EXPECTED CURL-ARGUMENTS...
status()
{
    expected=$1
    shift
    got=$(curl -s -o answer.txt -w '%{http_code}' "$@")
    [ "$got" = "$expected" ] || fail "status $got instead of $expected: $*: $(head -c 300 answer.txt)"
}

mkdir root
refuses 2 "needs\|give a --token" rasterwave serve --listen 0.0.0.0
refuses 2 "at least 8" rasterwave serve --token short
refuses 2 "ports go up" rasterwave serve --port 70000
refuses 2 "cannot be opened" rasterwave serve --root nowhere
refuses 2 "nothing.gpkg" rasterwave serve --scene nothing.gpkg

start --scene city:grid:size=600m,600m
python3 "$source_dir/tests/serve/interface.py" "$U" >log.txt 2>&1 || fail "the interface: $(tail -n 3 log.txt)"
(cd root && python3 "$source_dir/tests/serve/same_map.py" "$U" "$program" >../log.txt 2>&1) || fail "the map: $(tail -n 3 log.txt)"

python3 "$source_dir/tests/serve/newest.py" "$U" >log.txt 2>&1 || fail "the newest request: $(tail -n 3 log.txt)"
python3 "$source_dir/tests/serve/long.py" "$U" >log.txt 2>&1 || fail "requests that take long: $(tail -n 3 log.txt)"

# The examples of the documentation.
awk '/^```bash$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source_dir/docs/reference/http.md" >examples.sh
(cd root && U=$U sh -e ../examples.sh >../log.txt 2>&1) || fail "examples of http.md: $(tail -n 3 log.txt)"
[ "$(wc -l <examples.sh)" -gt 15 ] || fail "http.md has no examples"
[ -s root/report.html ] || fail "no report of a job"

# The types of all options, and inputs that change.
rasterwave help options --json >table.json || fail "help options --json"
python3 "$source_dir/tests/serve/option_types.py" "$U" table.json >log.txt 2>&1 || fail "types of options: $(tail -n 5 log.txt)"
if has_library gdal; then
    python3 "$source_dir/tests/serve/fresh.py" "$U" root >log.txt 2>&1 || fail "an input that changes: $(tail -n 3 log.txt)"
fi

# A database below the root is loaded once and used again; one of another scene is refused.
(cd root && rasterwave preprocess --scene city:grid:size=600m,600m --res 50 --out grid.rwdb --quiet) || fail "preprocess"
for i in 1 2; do
    status 200 -H 'Content-Type: application/json' "$U/v1/predict" -d '{"project": {"tx": ["300,300,30"], "database": "grid.rwdb"}, "layer": "path_loss"}'
done
status 400 -H 'Content-Type: application/json' "$U/v1/predict" -d '{"project": {"scene": "city:grid:size=300m,300m", "tx": ["150,150,30"], "database": "grid.rwdb"}}'

# Paths are those of the command line.
curl -s -H 'Content-Type: application/json' "$U/v1/paths" -d '{"project": {"tx": ["300,300,30"], "freq": "2GHz"}, "receiver": [150, 290]}' |
    sed -n 's/.*"loss_db": \([0-9.]*\).*/\1/p' | head -n 1 >ours.txt
rasterwave paths --scene city:grid:size=600m,600m --tx 300,300,30 --freq 2GHz --at 150,290 --json | tr -d ' ' |
    sed -n 's/.*"loss_db":\([0-9.]*\).*/\1/p' | head -n 1 >theirs.txt
awk 'NR == FNR { a = $1; next } { exit !(a > 50 && a - $1 < 1e-6 && $1 - a < 1e-6) }' ours.txt theirs.txt ||
    fail "paths: $(cat ours.txt) and $(cat theirs.txt)"

# Of two transmitters the one that is asked for, or both.
two='"project": {"tx": ["300,300,30,one", "100,300,30,two"], "freq": "2GHz"}, "receiver": [150, 290]'
curl -s -H 'Content-Type: application/json' "$U/v1/paths" -d "{$two}" >both.txt
curl -s -H 'Content-Type: application/json' "$U/v1/paths" -d "{$two, \"transmitter\": 1}" >second.txt
grep -q '"transmitter": 0' both.txt && grep -q '"transmitter": 1' both.txt || fail "paths of both: $(head -c 200 both.txt)"
grep -q '"transmitter": 1' second.txt && ! grep -q '"transmitter": 0' second.txt || fail "paths of one: $(head -c 200 second.txt)"
status 400 -H 'Content-Type: application/json' "$U/v1/paths" -d "{$two, \"transmitter\": 2}"

# gzip where it is accepted, plain where not.
curl -s -o page.txt "$U/"
for headers in '' 'Accept-Encoding: br, gzip;q=0' 'Accept-Encoding: gzip' 'Accept-Encoding: br;q=1, gzip;q=0.2'; do
    for path in / /v1/info; do
        # A build without its page answers a sentence, which is sent as it is.
        [ $path != / ] || ! grep -q 'without its page' page.txt || continue
        curl -s -D head.txt -o got.txt ${headers:+-H} ${headers:+"$headers"} "$U$path"
        case $headers in *gzip | *0.2) grep -qi '^content-encoding: gzip' head.txt && gzip -dc <got.txt >plain.txt ;;
        *) ! grep -qi '^content-encoding' head.txt && cp got.txt plain.txt ;; esac || fail "$path with '$headers': $(cat head.txt)"
        grep -q '<!doctype html>\|"version"\|without its page' plain.txt || fail "$path with '$headers' is something else"
    done
done

# Safety.
status 403 -H 'Host: elsewhere.example' "$U/v1/info"
status 403 -H 'Host: 127.0.0.1:1' "$U/v1/info"
status 403 -H 'Origin: http://elsewhere.example' "$U/v1/info"
status 403 -H 'Sec-Fetch-Site: cross-site' "$U/v1/info"
status 200 -H "Origin: $U" "$U/v1/info"
status 404 "$U/v1/nothing"
status 405 -X DELETE "$U/v1/predict"
status 404 --path-as-is "$U/../../etc/passwd"
status 404 --path-as-is "$U/v1/files/..%2f..%2fready.txt"
status 404 --path-as-is "$U/v1/jobs/1/files/..%2fjob.json"
status 413 -H 'Content-Type: application/json' -H 'Content-Length: 999999999' "$U/v1/predict" -d '{}'
for name in ../x a/b '' "$(printf 'M\374nchen.csv')" "$(printf 'a\nb')"; do
    status 400 --data-binary x -G --data-urlencode "name=$name" -X POST "$U/v1/files"
done
status 400 --data-binary x -X POST "$U/v1/files?name=a%00b.csv"
# Names of any alphabet are stored without marks that need quotes, and listed as they were given.
for name in 'Messfahrt München 1.csv' '測定.csv' .hidden '~20'; do
    status 200 --data-binary x -X POST "$U/v1/files?name=$(printf '%s' "$name" | od -An -tx1 | tr -d ' \n' | sed 's/../%&/g')"
    grep -qF "\"name\": \"$name\"" answer.txt || fail "upload $name: $(cat answer.txt)"
    file=$(sed -n 's/.*"file": "\([^"]*\)".*/\1/p' answer.txt)
    case ${file#uploads/} in *[!A-Za-z0-9._~-]* | .*) fail "$name is stored as $file" ;; esac
    [ "$(cat "root/$file")" = x ] || fail "$name has other content"
done
curl -s "$U/v1/files" | grep -qF '"name": "測定.csv"' || fail "uploads are not listed by their names: $(curl -s "$U/v1/files")"
# A body whose values would take far more memory than its text.
awk 'BEGIN { printf "{\"x\": [0"; for (i = 0; i < 600000; i++) printf ",0"; print "]}" }' >many.json
status 413 -H 'Content-Type: application/json' "$U/v1/predict" --data-binary @many.json
# The folder belongs to one server, whose running jobs a second one would remove.
(cd root && rasterwave serve --scene city:grid:size=100m,100m --port 0 >../second.txt 2>&1) && fail "a second server in the same folder"
grep -q 'another rasterwave serve runs in this folder' second.txt || fail "a second server: $(cat second.txt)"
# A client that ends its side of the connection with the request gets its answer.
python3 - "$U" <<'END' || fail "a client that closes its side gets no answer"
import socket, sys
host, port = sys.argv[1].split("//")[1].strip("/").split(":")
body = b'{"project": {"tx": ["150,150,30"], "freq": "2GHz", "res": 5}}'
with socket.create_connection((host, int(port)), timeout=30) as client:
    client.sendall(b"POST /v1/predict HTTP/1.1\r\nHost: %s:%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        % (host.encode(), port.encode(), len(body), body))
    client.shutdown(socket.SHUT_WR)
    answer = b""
    while part := client.recv(65536):
        answer += part
assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
END
# Idle connections do not starve others.
python3 - "$U" <<'END' || fail "1300 idle connections starve another"
import http.client, resource, socket, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
host, port = sys.argv[1].split("//")[1].strip("/").split(":")
idle = [socket.create_connection((host, int(port)), timeout=30) for _ in range(1300)]
client = http.client.HTTPConnection(host, int(port), timeout=5)
client.request("GET", "/v1/jobs")
assert client.getresponse().status == 200
END
ln -s "$scratch" root/link
for path in ../ready.txt /etc/passwd link/ready.txt; do
    status 400 -H 'Content-Type: application/json' "$U/v1/scenes" -d "{\"file\": \"$path\"}"
    grep -q 'outside of the server' answer.txt || fail "$path: $(cat answer.txt)"
    status 400 -H 'Content-Type: application/json' "$U/v1/predict" -d "{\"project\": {\"sites\": \"$path\"}}"
    status 400 -H 'Content-Type: application/json' "$U/v1/jobs" -d "{\"command\": \"info\", \"arguments\": {\"input\": \"$path\"}}"
done
status 400 -H 'Content-Type: application/json' "$U/v1/jobs" -d '{"command": "predict", "arguments": {"out": "../x"}}'
status 400 -H 'Content-Type: application/json' "$U/v1/predict" -d '{"project": {"tx": ["300,300,30"]}, "resolution": 0.01}'
grep -q 'more than 16000000' answer.txt || fail "too many cells: $(cat answer.txt)"
curl -sI "$U/" >headers.txt
for word in "Content-Security-Policy: default-src 'self'" 'X-Content-Type-Options: nosniff' "frame-ancestors 'none'"; do
    grep -q "$word" headers.txt || fail "no header $word"
done

# A job that is cancelled ends soon; another that fails says why.
status 202 -H 'Content-Type: application/json' "$U/v1/jobs" -d '{"command": "predict", "project": {"scene": "city:european", "tx": ["1200,1700,60"]},
    "arguments": {"res": 0.5}}'
id=$(sed -n 's/.*"id": "\([0-9]*\)".*/\1/p' answer.txt)
status 200 -X DELETE "$U/v1/jobs/$id"
status 202 -H 'Content-Type: application/json' "$U/v1/jobs" -d '{"command": "predict", "project": {"tx": ["300,300,30"], "params": "none.json"}}'
for i in $(seq 200); do
    curl -s "$U/v1/jobs" >jobs.txt
    grep -q '"state": "\(running\|waiting\)"' jobs.txt || break
    sleep 0.05
done
grep -q '"state": "failed".*none.json' jobs.txt || fail "no failed job: $(head -c 400 jobs.txt)"
grep -q '"state": "cancelled"' jobs.txt || fail "no cancelled job: $(head -c 400 jobs.txt)"

# What was saved is there after kill -9, and jobs with it.
status 200 -X PUT -H 'Content-Type: application/json' "$U/v1/project" -d '{"project": {"command": "predict", "scene": "city:grid:size=300m,300m",
    "tx": ["150,150,30"], "freq": "2GHz", "res": 20, "page": {"view": [1, 2], "colours": {"map": "x"}}}}'
# A further project is a file of its own; both are listed.
status 200 -X PUT -H 'Content-Type: application/json' "$U/v1/project?id=second-1" -d '{"project": {"scene": "office", "tx": ["1,1,2"]}}'
status 200 "$U/v1/project?id=second-1"
grep -q '"scene": "office"' answer.txt && grep -q '"file": "projects/second-1.yaml"' answer.txt || fail "a second project: $(cat answer.txt)"
status 200 "$U/v1/projects"
grep -q '"id": "".*"scene": "city:grid:size=300m,300m".*"id": "second-1".*"scene": "office"' answer.txt || fail "projects: $(cat answer.txt)"
for id in '..%2fx' A a.b "$(printf '%050d' 0)"; do
    status 400 -X PUT -H 'Content-Type: application/json' "$U/v1/project?id=$id" -d '{"project": {}}'
done
kill -9 $server
wait $server 2>/dev/null
start --scene city:grid:size=300m,300m --token secret-word-1
status 401 "$U/v1/project"
status 401 -H 'Authorization: Bearer secret-word-2' "$U/v1/project"
status 303 "$U/?token=secret-word-1"
status 200 -b 'rasterwave-token=secret-word-1' "$U/v1/info"
status 200 -H 'Authorization: Bearer secret-word-1' "$U/v1/project"
grep -q '"tx": \["150,150,30"\]' answer.txt || fail "the project is gone: $(cat answer.txt)"
status 200 -H 'Authorization: Bearer secret-word-1' "$U/v1/jobs"
grep -q '"state": "cancelled"' answer.txt || fail "jobs are gone: $(head -c 300 answer.txt)"
if has_library cyaml; then
    (cd root && rasterwave predict project.yaml --quiet --out map >../log.txt 2>&1) || fail "the saved project: $(cat log.txt)"
fi
kill $server
wait $server || fail "the server ends with status $?"
start --scene city:grid:size=300m,300m
python3 "$source_dir/tests/serve/newest.py" "$U" $server >log.txt 2>&1 || fail "SIGTERM while it computes: $(tail -n 3 log.txt)"
wait $server || fail "the server ends with status $? while it computes"
server=

# Options of the scene are part of its map: of the command line and of projects that name the scene. Another scene has none of them.
# A project that a person wrote is read, and kept when the page saves its own.
if has_library gdal && has_library cyaml; then
    echo '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"height": 60}, "geometry": {"type": "Polygon", "coordinates":
        [[[11.5750, 48.1370], [11.5760, 48.1370], [11.5760, 48.1374], [11.5750, 48.1370]]]}}]}' >root/houses.geojson
    printf '# by hand\ncommand: predict\nscene: houses.geojson\ntx:\n  - 1,2,30,mast\nfreq: 2GHz\n' >root/project.yaml
    start --scene root/houses.geojson --height-unit ft
    status 200 "$U/v1/scene"
    tr -d ' \n' <answer.txt | grep -q '"options":{"height-unit":"ft"}' || fail "options of the scene: $(head -c 300 answer.txt)"
    status 200 -H 'Content-Type: application/json' "$U/v1/command" -d '{"project": {"tx": ["1,2,30"]}}'
    grep -q -e '--height-unit ft' answer.txt || fail "the command line has no --height-unit: $(cat answer.txt)"
    status 200 -H 'Content-Type: application/json' "$U/v1/scenes" -d '{"file": "city:grid:size=100m,100m"}'
    tr -d ' \n' <answer.txt | grep -q '"options":{}' || fail "another scene with options: $(head -c 300 answer.txt)"
    status 200 "$U/v1/project"
    grep -q '"is_yaml": true' answer.txt || fail "a project by hand: $(cat answer.txt)"
    status 200 -H 'Content-Type: application/json' "$U/v1/project/read" -d '{"file": "project.yaml"}'
    tr -d ' \n' <answer.txt | grep -q '"tx":\["1,2,30,mast"\],.*"freq":"2GHz"' || fail "the project by hand: $(cat answer.txt)"
    status 200 -X PUT -H 'Content-Type: application/json' "$U/v1/project" -d '{"project": {"scene": "houses.geojson"}}'
    grep -q '# by hand' root/project.by-hand.yaml || fail "the project by hand is gone"
    # In flow style, and larger than a request: each keeps a copy of its own, and answers stay JSON.
    printf '{command: predict, scene: houses.geojson, tx: ["1,2,30"]} # second\n' >root/project.yaml
    curl -s "$U/v1/project" | python3 -c 'import json, sys; assert json.load(sys.stdin)["is_yaml"]' || fail "flow style"
    status 200 -X PUT -H 'Content-Type: application/json' "$U/v1/project" -d '{"project": {"scene": "houses.geojson"}}'
    { echo '# third' && head -c 5000000 /dev/zero | tr '\0' '#'; } >root/project.yaml
    curl -s "$U/v1/project" | grep -q '"is_yaml": true' || fail "a large project"
    for i in 1 2; do
        status 200 -X PUT -H 'Content-Type: application/json' "$U/v1/project" -d '{"project": {"scene": "houses.geojson"}}'
    done
    grep -q '# by hand' root/project.by-hand.yaml && grep -q '# second' root/project.by-hand-2.yaml &&
        grep -q '# third' root/project.by-hand-3.yaml && [ ! -e root/project.by-hand-4.yaml ] || fail "copies: $(ls root)"
    kill $server
    wait $server
    server=
fi

# Terrain outside of the root that the command line named: requests with and without the scene's options have the same map, jobs too.
# Other files there stay outside.
cat >hill.asc <<'END'
ncols 3
nrows 3
xllcorner -300
yllcorner -300
cellsize 400
nodata_value -9999
0 0 0
0 90 0
0 0 0
END
cp hill.asc other.asc
if has_library gdal; then
    start --scene city:grid:size=300m,300m --terrain hill.asc
    curl -s "$U/v1/scene" | python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)["options"]))' >options.json
    grep -q hill.asc options.json || fail "the scene has no terrain: $(cat options.json)"
    for project in '{"tx": ["150,150,30"]}' '{"scene": "city:grid:size=300m,300m", "tx": ["150,150,30"]}' \
        "$(sed 's/.$/, "scene": "city:grid:size=300m,300m", "tx": ["150,150,30"]}/' options.json)"; do
        status 200 -H 'Content-Type: application/json' "$U/v1/predict" -d "{\"project\": $project, \"layer\": \"path_loss\", \"resolution\": 10}"
        tail -c 1000 answer.txt >map.txt
        [ -s first.txt ] || cp map.txt first.txt
        cmp -s map.txt first.txt || fail "the options of the scene change the map: $project"
        status 200 -H 'Content-Type: application/json' "$U/v1/command" -d "{\"project\": $project}"
        grep -q -e '--terrain [^ ]*hill.asc' answer.txt || fail "the command line has no terrain: $(cat answer.txt)"
    done
    status 400 -H 'Content-Type: application/json' "$U/v1/predict" -d "{\"project\": {\"terrain\": \"$scratch/other.asc\", \"tx\": [\"150,150,30\"]}}"
    grep -q 'outside of the server' answer.txt || fail "another terrain: $(cat answer.txt)"
    kill $server
    wait $server
    server=
fi

# Many connections for a moment, and broken requests.
start --scene city:grid:size=100m,100m
port=${U##*:}
noise=3000
[ -z "${RASTERWAVE_FULL:-}" ] || noise=1000000
client=$(dirname "$program")/rasterwave-serve-client
if [ -x "$client" ]; then
    "$client" "$port" load 200 100 1 '{"project": {"tx": ["50,50,30"], "effects": "none"}, "layer": "los", "resolution": 20}' $server >load.txt 2>&1 ||
        fail "load: $(cat load.txt)"
    "$client" "$port" noise "$noise" 1 >noise.txt 2>&1 || fail "noise: $(cat noise.txt)"
fi
kill $server
wait $server || fail "the server ends with status $? after noise"
server=
finish
