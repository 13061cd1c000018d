"""Of the requests of a client the newest wins, and work for a client that has left ends.

Usage: newest.py URL [PID]. With the PID of the server, it is ended while it computes, and that alone is checked. A slow request takes many seconds; nothing here waits for it to end by itself.
"""

import http.client
import json
import os
import select
import signal
import sys
import threading
import time
import urllib.parse

HOST = urllib.parse.urlsplit(sys.argv[1]).netloc
SLOW = {"project": {"scene": "city:grid:size=900m,900m", "tx": ["300,300,30"], "freq": "2GHz"}, "resolution": 0.5}
LONG = {
    "a map of small cells": SLOW,
    "rt at 600 m": {"project": {"scene": "city:european:seed=1:size=600m,600m", "tx": ["300,300,40"], "freq": "2GHz", "model": "rt"}, "resolution": 10},
    "2000 transmitters": {"project": {"scene": "city:european:seed=1:size=600m,600m", "freq": "2GHz",
                                      "tx": [f"{100 + 17 * i % 400},{100 + 29 * i % 400},60" for i in range(2000)]},
                          "transmitter": "best", "layer": "power", "resolution": 20},
    "a large scene": {"project": {"scene": "city:european:seed=2:size=5km,5km", "tx": ["2500,2500,60"], "freq": "2GHz"}, "resolution": 10},
}
QUICK = {"project": {"tx": ["300,300,30"], "freq": "2GHz", "effects": "none"}, "layer": "los", "resolution": 50}


def send(body, client):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    connection.request("POST", "/v1/predict", json.dumps(body), {"Content-Type": "application/json", "X-Rasterwave-Client": client})
    return connection


def status(connection):
    answer = connection.getresponse()
    answer.read()
    return answer.status


def wait_until_running(client):
    for _ in range(200):
        connection = http.client.HTTPConnection(HOST, timeout=60)
        connection.request("GET", "/v1/progress", headers={"X-Rasterwave-Client": client})
        if json.loads(connection.getresponse().read())["state"] != "waiting":
            return
        time.sleep(0.1)


def check_newest():
    assert status(send({**SLOW, "resolution": 50}, "one")) == 200  # its scene is open: a scene that is opened holds up nobody
    slow, found = send(SLOW, "one"), []
    waiting = threading.Thread(target=lambda: found.append(status(slow)))
    waiting.start()
    time.sleep(0.3)
    wait_until_running("one")
    queued = send(QUICK, "other")  # waits behind the slow one
    queued_too = send(QUICK, "other")
    replaced = status(queued)  # by the second, which the server has read then
    start = time.monotonic()
    assert status(send(QUICK, "one")) == 200
    waiting.join()
    both = sorted([replaced, status(queued_too)])
    # On a slow machine others have waited so long that the slow one has become a job, and they are answered.
    assert (found, both) in (([409], [200, 409]), ([202], [200, 409]), ([202], [200, 200])), (found, both)
    return time.monotonic() - start


def check_left(body):
    slow = send(body, "gone")
    time.sleep(1)
    if select.select([slow.sock], [], [], 0)[0]:
        answer = slow.getresponse()
        content = answer.read()
        assert answer.status in (200, 202), (answer.status, content[:300])
        if answer.status == 202:  # it has become a job
            slow.request("DELETE", f"/v1/jobs/{json.loads(content)['id']}", headers={"X-Rasterwave-Client": "gone"})
            assert slow.getresponse().status == 200
    slow.close()
    start = time.monotonic()
    assert status(send(QUICK, "stays")) == 200
    return time.monotonic() - start


def check_end(server, limit_s):
    """The server itself ends while it computes."""
    send(SLOW, "last")
    send(LONG["rt at 600 m"], "other")
    time.sleep(0.5)
    start = time.monotonic()
    os.kill(server, signal.SIGTERM)
    while os.path.exists(f"/proc/{server}") and "(zombie)" not in open(f"/proc/{server}/status").read():
        assert time.monotonic() - start < limit_s
        time.sleep(0.01)
    print(f"the server ended after {time.monotonic() - start:.2f} s")


def time_quick():
    start = time.monotonic()
    assert status(send(QUICK, "first")) == 200
    return time.monotonic() - start


def main():
    time_quick()  # opens the scene
    alone = time_quick()  # a busy machine takes longer for everything
    if len(sys.argv) > 2:
        check_end(int(sys.argv[2]), 2 + 30 * alone)
        return
    took = {"a newer request": check_newest()}
    for name, body in LONG.items():
        took[name] = check_left(body)
    assert max(took.values()) < 2 + 30 * alone, (took, alone)
    print("older work ended after", ", ".join(f"{seconds:.2f} s ({name})" for name, seconds in took.items()))


if __name__ == "__main__":
    main()
