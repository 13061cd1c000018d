"""Asks a running server everything that its OpenAPI document lists, and holds every answer against the document's schemas.

Usage: interface.py URL. For each operation the example of the document is sent, and, where the document has one (x-refused), a
request that must be refused with 400. The checker knows the words of JSON Schema that the document uses and refuses others.
"""

import http.client
import json
import re
import sys
import time
import urllib.parse

WORDS = {"type", "properties", "required", "items", "enum", "const", "oneOf", "additionalProperties", "minimum", "maximum", "format",
         "exclusiveMinimum", "minItems", "maxItems", "minLength", "maxLength", "pattern", "description", "$ref"}
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool, "null": type(None)}


class Document:
    def __init__(self, text):
        self.whole = json.loads(text)
        assert self.whole["openapi"].startswith("3.1")
        assert self.whole["info"]["title"] and self.whole["info"]["version"]

    def wrong(self, schema, value, at="answer"):
        """What is wrong with the value, in words; an empty text where nothing is."""
        if schema is False:
            return f"{at} is not in the document"
        unknown = set(schema) - WORDS
        if unknown:
            return f"the schema of {at} has words that are not known: {unknown}"
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/components/schemas/")
            return self.wrong(self.whole["components"]["schemas"][name], value, at)
        if "oneOf" in schema:
            fits = [self.wrong(one, value, at) == "" for one in schema["oneOf"]]
            return "" if sum(fits) == 1 else f"{at} fits {sum(fits)} of oneOf"
        if "const" in schema and value != schema["const"]:
            return f"{at} is {value!r}, not {schema['const']!r}"
        if "enum" in schema and value not in schema["enum"]:
            return f"{at} is {value!r}, none of {schema['enum']}"
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if kinds and not any(isinstance(value, TYPES[kind]) and not (kind != "boolean" and isinstance(value, bool)) for kind in kinds):
            return f"{at} is {value!r:.60}, not {kinds}"
        return self.wrong_number(schema, value, at) or self.wrong_text(schema, value, at) or self.wrong_parts(schema, value, at)

    @staticmethod
    def wrong_number(schema, value, at):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return ""
        low, high, above = schema.get("minimum"), schema.get("maximum"), schema.get("exclusiveMinimum")
        bad = (low is not None and value < low) or (high is not None and value > high) or (above is not None and value <= above)
        return f"{at} is {value}, out of its range" if bad else ""

    @staticmethod
    def wrong_text(schema, value, at):
        if not isinstance(value, str):
            return ""
        bad = len(value) < schema.get("minLength", 0) or len(value) > schema.get("maxLength", 1 << 30)
        bad = bad or ("pattern" in schema and not re.search(schema["pattern"], value))
        return f"{at} is {value!r}, which does not fit" if bad else ""

    def wrong_parts(self, schema, value, at):
        if isinstance(value, dict):
            missing = [name for name in schema.get("required", []) if name not in value]
            if missing:
                return f"{at} has no {missing}"
            others = schema.get("additionalProperties", {})
            found = (self.wrong(schema.get("properties", {}).get(key, others), part, f"{at}.{key}") for key, part in value.items())
            return next(filter(None, found), "")
        if isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 30):
                return f"{at} has {len(value)} items"
            found = (self.wrong(schema.get("items", {}), part, f"{at}[{i}]") for i, part in enumerate(value))
            return next(filter(None, found), "")
        return ""


class Server:
    def __init__(self, url):
        self.host = urllib.parse.urlsplit(url).netloc
        self.connection = http.client.HTTPConnection(self.host, timeout=60)

    def ask(self, method, path, body=None, kind="application/json", headers=None):
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = kind
            body = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.getheader("Content-Type", ""), answer.read()


def check_answer(document, operation, name, answer):
    status, kind, body = answer
    described = operation["responses"].get(str(status))
    assert described, f"{name}: status {status} is not in the document: {body[:200]}"
    content = described["content"]
    plain = kind.split(";")[0]
    if "application/json" in content:
        assert plain == "application/json", f"{name}: {kind}"
        wrong = document.wrong(content["application/json"]["schema"], json.loads(body))
        assert not wrong, f"{name}: {status}: {wrong}"
    elif "text/csv" in content:
        assert plain == "text/csv", f"{name}: {kind}"
    return status


def address(path, operation):
    query = []
    for parameter in operation.get("parameters", []):
        text = urllib.parse.quote(parameter.get("example", ""), safe="/")
        if parameter["in"] == "path":
            path = path.replace("{" + parameter["name"] + "}", text)
        elif parameter["in"] == "query":
            query.append(f"{parameter['name']}={text}")
    return path + ("?" + "&".join(query) if query else "")


def check_operation(document, server, path, method, operation):
    name = f"{method.upper()} {path}"
    content = operation.get("requestBody", {}).get("content", {})
    kind, described = next(iter(content.items()), ("application/json", {}))
    example = described.get("example")
    if isinstance(example, dict):
        wrong = document.wrong(described["schema"], example, "example")
        assert not wrong, f"{name}: {wrong}"
    status = check_answer(document, operation, name, server.ask(method.upper(), address(path, operation), example, kind))
    assert status < 300, f"{name}: status {status}"
    if "x-refused" in described:
        refused = server.ask(method.upper(), address(path, operation), described["x-refused"], kind)
        assert check_answer(document, operation, name, refused) == 400, f"{name}: {refused}"
    if content and kind == "application/json":
        broken = [("{", kind, 400), ("[1]", kind, 400), ("{}", "text/plain", 415)]
        for body, of_kind, expected in broken:
            got = check_answer(document, operation, name, server.ask(method.upper(), address(path, operation), body, of_kind))
            assert got == expected, f"{name}: {body} as {of_kind}: {got}"
    foreign = server.ask(method.upper(), address(path, operation), example, kind, {"Origin": "http://elsewhere.example"})
    assert check_answer(document, operation, name, foreign) == 403, name


def wait_for_jobs(server):
    for _ in range(300):
        jobs = json.loads(server.ask("GET", "/v1/jobs")[2])["jobs"]
        if not any(job["state"] in ("waiting", "running") for job in jobs):
            return jobs
        time.sleep(0.02)
    raise AssertionError("jobs do not end")


def main():
    server = Server(sys.argv[1])
    status, _, text = server.ask("GET", "/v1/openapi.json")
    assert status == 200
    document = Document(text)
    operations = [(p, m, o) for p, methods in document.whole["paths"].items() for m, o in methods.items()]
    # Jobs first, so that there is one to ask for; what takes something away comes last.
    late = {"/v1/jobs/{id}", "/v1/jobs/{id}/files/{name}"}
    order = sorted(operations, key=lambda o: (o[0] in late, o[1] == "delete", o[0] == "/v1/evaluate"))
    uploads = next(o for o in operations if o[:2] == ("/v1/files", "post"))
    jobs = next(o for o in operations if o[:2] == ("/v1/jobs", "post"))
    for operation in [uploads, jobs, *(o for o in order if o not in (uploads, jobs))]:
        if operation[0] in late:
            done = wait_for_jobs(server)
            assert any(job["id"] == "1" and job["state"] == "done" for job in done), done
        check_operation(document, server, *operation)
    print(f"{len(operations)} operations")


if __name__ == "__main__":
    main()
