"""Walks the table of options against a running server: every option of every command that jobs may run is rejected by its name if its
value has another type or leads out of the folder, and so is a key that no table has.

Usage: option_types.py URL TABLE. TABLE is the output of rasterwave help options --json.
"""

import http.client
import json
import sys
import urllib.parse

WRONG = {"true or false": 3, "a number": True, "a text": True, "a list": True, "a path to read": 5, "a path to write": 5,
         "a list of paths to read": 5, "a list of texts": 5}
PATHS = {"a path to read", "a path to write", "a list of paths to read"}


def main():
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc, timeout=60)
    failures = requests = 0

    def ask(path, body):
        nonlocal requests
        requests += 1
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")

    def reject(what, status, text, *words):
        nonlocal failures
        if status != 400 or not any(word in text for word in words):
            print(f"{what}: {status} {text[:200]}")
            failures += 1

    commands = [c for c in json.load(open(sys.argv[2]))["commands"] if c["served"]]
    assert len(commands) > 10
    for command in commands:
        name = command["name"]
        reject(f"{name} bogus", *ask("/v1/jobs", {"command": name, "arguments": {"bogus": 1}}), "bogus")
        for option in command["options"]:
            key, kind = option["name"], option["type"]
            for wrong in (WRONG[kind], {"a": 1}):
                reject(f"{name} {key}: {wrong}", *ask("/v1/jobs", {"command": name, "arguments": {key: wrong}}), key)
                reject(f"{name} project {key}: {wrong}", *ask("/v1/jobs", {"command": name, "project": {key: wrong}}), key)
            if kind in PATHS:
                for outside in ("../outside", "/etc/passwd", "../outside:layer"):
                    body = {"command": name, "arguments": {key: outside}}
                    reject(f"{name} {key}: {outside}", *ask("/v1/jobs", body), "outside of the server", "a plain name is expected")
        if command["input_is_path"]:
            reject(f"{name} input", *ask("/v1/jobs", {"command": name, "arguments": {"input": "../x"}}), "outside of the server")
    predict = next(c for c in commands if c["name"] == "predict")
    for path in ("/v1/predict", "/v1/paths", "/v1/evaluate", "/v1/command"):
        for option in predict["options"]:
            key, kind = option["name"], option["type"]
            body = {"project": {"tx": ["300,300,30"], key: WRONG[kind]}} | ({"receiver": [10, 10]} if path == "/v1/paths" else {})
            reject(f"{path} {key}: {WRONG[kind]}", *ask(path, body), key, "file: measurements are expected")
            if kind in PATHS and kind != "a path to write" and path == "/v1/predict":
                body["project"][key] = "/etc/passwd"
                reject(f"{path} {key}: /etc/passwd", *ask(path, body), "outside of the server")
        reject(f"{path} bogus", *ask(path, {"project": {"bogus": 1}}), "bogus", "file:")
    print(f"{requests} requests, {failures} failures")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
