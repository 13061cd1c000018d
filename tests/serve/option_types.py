"""Walks the tables of options and of request bodies against a running server: every option of every command that jobs may run is rejected
by its name if its value has another type or leads out of the folder, and so is a key that no table has or that is given twice. The document
of the interface has the same keys and types.

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

    def ask(path, body, method="POST"):
        nonlocal requests
        requests += 1
        text = body if isinstance(body, str) else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json"})
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
    further = {"/v1/predict": {}, "/v1/paths": {"receiver": [10, 10]}, "/v1/evaluate": {"file": "none.csv"}, "/v1/command": {}}
    for path, other in further.items():
        for option in predict["options"]:
            key, kind = option["name"], option["type"]
            body = {"project": {"tx": ["300,300,30"], key: WRONG[kind]}} | other
            reject(f"{path} {key}: {WRONG[kind]}", *ask(path, body), key)
            if kind in PATHS and kind != "a path to write" and path == "/v1/predict":
                body["project"][key] = "/etc/passwd"
                reject(f"{path} {key}: /etc/passwd", *ask(path, body), "outside of the server")
        reject(f"{path} bogus", *ask(path, {"project": {"bogus": 1}} | other), "bogus")
    connection.request("GET", "/v1/openapi.json")
    document = json.loads(connection.getresponse().read())
    schemas = document["components"]["schemas"]

    # The document has the options of the tables, each with the types that requests may have.
    options = {o["name"]: o["type"] for c in json.load(open(sys.argv[2]))["commands"] for o in c["options"]} | {"input": "", "second": ""}
    for name, own in (("Project", {"command", "page"}), ("Arguments", set())):
        properties = schemas[name]["properties"]
        missing = set(options) - {"allow-outside"} - set(properties)
        assert not missing and schemas[name]["additionalProperties"] is False, (name, missing)
        assert own <= set(properties) and "bogus" not in properties, name
        for key, value in properties.items():
            of_json = {bool: "boolean", int: "number", str: "string"}
            if options.get(key) in WRONG:
                assert of_json[type(WRONG[options[key]])] not in value["type"] and "null" in value["type"], (key, value)
    assert sorted(schemas["Command"]["enum"]) == sorted(c["name"] for c in commands)

    # Every body: each member of another type, each required one left out, one twice, and one that is in no table.
    samples = {"string": "x", "number": 1.5, "boolean": True, "array": [1], "object": {"a": 1}}
    walked = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if not body:
                continue
            schema, example = body["schema"], body["example"]
            method = method.upper()
            if schema["additionalProperties"] is False:
                reject(f"{path} bogus", *ask(path, example | {"bogus": 1}, method), "bogus is not a member")
            for key in schema["required"]:
                reject(f"{path} without {key}", *ask(path, {k: v for k, v in example.items() if k != key}, method), key)
            for key, value in schema["properties"].items():
                for kind, sample in samples.items():
                    if kind not in value["type"]:
                        walked += 1
                        reject(f"{path} {key}: {sample}", *ask(path, example | {key: sample}, method), f'"{key}: ')
            twice = json.dumps(example)[:-1] + ", " + json.dumps({key: example[key] for key in list(example)[:1]})[1:]
            reject(f"{path} {list(example)[0]} twice", *ask(path, twice, method), "is given twice")
    assert walked > 100, walked
    for project in ({"bogus": 1}, {"res": True}, {"page": 1}, {"command": 2}, {"tx": 5}):
        reject(f"PUT {project}", *ask("/v1/project", {"project": project}, "PUT"), next(iter(project)))
        reject(f"project {project}", *ask("/v1/predict", {"project": {"freq": "2GHz"} | project}), next(iter(project)))
    reject("a key twice", *ask("/v1/predict", '{"project": {"res": 5, "res": 6}}'), "res is given twice")
    reject("an argument twice", *ask("/v1/jobs", '{"command": "info", "arguments": {"json": true, "json": false}}'), "is given twice")
    reject("a setting of a file", *ask("/v1/scenes", {"file": "a.gpkg", "seed": 3}), "seed")
    reject("a column", *ask("/v1/sites/export", {"sites": [{"x": 1, "bogus": 2}]}), "bogus is not a column")

    # A table of sites comes back with all of its columns.
    table = "name,x,y,height,azimuth,tilt,roll,power,freq,antenna,channel,polarisation,load,radius,bandwidth,mimo\n"
    table += "a,1,2,30,90,3,4,43,2000000000,3gpp,c,-30,0,500,20000000,4\nb,5,6,20,0,0,0,30,1000000000,isotropic,d,dual,0.5,,,\n"
    table += "e,5,6,20,0,0,0,30,1000000000,isotropic,d,vh,,,,\n"
    sites = json.loads(ask("/v1/sites", {"table": table})[1])["sites"]
    again = ask("/v1/sites/export", {"sites": sites})[1]
    if again != table:
        print(f"sites came back as {again}")
        failures += 1
    print(f"{requests} requests, {failures} failures")
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
