"""Requests that take long: they become jobs whose file is the answer, other clients do not wait, and what the page needs to open is
answered at once meanwhile.

Usage: long.py URL. The long requests are never waited for: they are cancelled.
"""

import http.client
import json
import struct
import sys
import threading
import time
import urllib.parse

HOST = urllib.parse.urlsplit(sys.argv[1]).netloc
MAST = {"tx": ["300,300,60"], "freq": "2GHz"}
QUICK = {"project": {**MAST, "effects": "none"}, "layer": "los", "resolution": 50}
HOURS = {"project": {**MAST, "model": "rt", "depth": 6, "diffractions": 1}, "layer": "path_loss", "resolution": 0.3}
# Two thousand transmitters to one receiver.
CROWD = {"project": {**MAST, "model": "rt", "tx": [f"{20 + 0.28 * i},300,60" for i in range(2000)]}, "receiver": [150, 290, 1.5]}
# Seconds of work, of a model whose maps are estimated to be quick enough for the engine.
SECONDS = {"project": {"tx": [f"{60 + 12 * i},300,150" for i in range(40)], "freq": "2GHz"}, "layer": "path_loss", "resolution": 3,
           "transmitter": "best"}


def ask(method, path, body=None, client=None):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    headers = {} if body is None else {"Content-Type": "application/json"}
    if client:
        headers["X-Rasterwave-Client"] = client
    start = time.monotonic()
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    data = answer.read()
    return answer.status, data, time.monotonic() - start


def job_of(answer):
    assert answer[0] == 202, (answer[0], answer[1][:300])
    return json.loads(answer[1])


def wait_for(job, states, seconds=30):
    for _ in range(int(20 * seconds)):
        now = json.loads(ask("GET", f"/v1/jobs/{job['id']}")[1])
        if now["state"] in states:
            return now
        time.sleep(0.05)
    raise AssertionError(f"{now['state']} is none of {states}")


def cells(answer):
    assert answer[:4] == b"RWM1"
    return answer[8 + struct.unpack("<I", answer[4:8])[0]:]


def check_estimated():
    """A map of hours is a job from the first moment; the page opens meanwhile, and another client gets its map."""
    job = job_of(ask("POST", "/v1/predict", HOURS, "one-predict"))
    assert job["estimate_s"] > 5, job
    wait_for(job, {"running"})
    for path in ("/v1/info", "/v1/scene"):
        assert ask("GET", path)[0] == 200
    assert ask("POST", "/v1/predict", QUICK, "two-predict")[0] == 200
    again = job_of(ask("POST", "/v1/predict", HOURS, "one-predict"))  # the newest wins, of jobs too
    wait_for(job, {"cancelled"})
    ask("DELETE", f"/v1/jobs/{again['id']}")
    wait_for(again, {"cancelled"})


def check_crowd():
    job = job_of(ask("POST", "/v1/paths", CROWD, "one-paths"))
    ask("DELETE", f"/v1/jobs/{job['id']}")
    wait_for(job, {"cancelled"})


def check_answer():
    """A client that holds up another one gets a job, whose file has the cells that the engine alone gives."""
    stop = threading.Event()

    def crowd():
        while not stop.is_set():
            ask("POST", "/v1/predict", QUICK, "two-predict")

    others = threading.Thread(target=crowd)
    others.start()
    held_up = ask("POST", "/v1/predict", SECONDS, "one-predict")
    stop.set()
    others.join()
    job = job_of(held_up)
    assert "estimate_s" not in job, f"{job}: it was estimated, nobody was held up"
    done = wait_for(job, {"done", "failed"}, 120)
    assert done["state"] == "done", done
    assert [file["name"] for file in done["files"]] == ["answer.bin"], done
    file = ask("GET", f"/v1/jobs/{job['id']}/files/answer.bin")[1]
    alone = ask("POST", "/v1/predict", SECONDS, "one-predict")
    body = alone[1]
    if alone[0] == 202:  # a machine that needs over 5 s for it: another job
        job = job_of(alone)
        assert wait_for(job, {"done", "failed"}, 120)["state"] == "done", job
        body = ask("GET", f"/v1/jobs/{job['id']}/files/answer.bin")[1]
    assert cells(body) == cells(file) and len(cells(file)) > 50000


def check_failed():
    """What is wrong is the job's message."""
    wrong = {"project": {**MAST, "model": "rt", "depth": 6, "diffractions": 1, "freq": "1"}, "layer": "path_loss", "resolution": 0.3}
    status, body, _ = ask("POST", "/v1/predict", wrong, "one-predict")
    assert status == 400, (status, body[:300])


def main():
    assert ask("POST", "/v1/predict", QUICK, "two-predict")[0] == 200  # opens the scene
    for check in (check_estimated, check_crowd, check_answer, check_failed):
        check()
    print("info after", " and ".join(f"{ask('GET', '/v1/info')[2]:.4f} s" for _ in range(2)))


if __name__ == "__main__":
    main()
