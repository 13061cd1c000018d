"""Of the requests of a client the newest wins, and work for a client that has left ends.

Usage: newest.py URL. The slow request is a map of small cells, which takes seconds; nothing here waits for it to end by itself.
"""

import http.client
import json
import sys
import threading
import time
import urllib.parse

HOST = urllib.parse.urlsplit(sys.argv[1]).netloc
SLOW = {"project": {"scene": "city:grid:size=900m,900m", "tx": ["300,300,30"], "freq": "2GHz"}, "resolution": 1}
QUICK = {"project": {"tx": ["300,300,30"], "freq": "2GHz", "effects": "none"}, "layer": "los", "resolution": 50}


def send(body, client):
    connection = http.client.HTTPConnection(HOST, timeout=60)
    connection.request("POST", "/v1/predict", json.dumps(body), {"Content-Type": "application/json", "X-Rasterwave-Client": client})
    return connection


def status(connection):
    answer = connection.getresponse()
    answer.read()
    return answer.status


def check_newest():
    slow, found = send(SLOW, "one"), []
    waiting = threading.Thread(target=lambda: found.append(status(slow)))
    waiting.start()
    time.sleep(0.3)
    queued = send(QUICK, "other")  # waits behind the slow one
    queued_too = send(QUICK, "other")
    start = time.monotonic()
    assert status(send(QUICK, "one")) == 200
    waiting.join()
    assert found == [409], found
    assert sorted([status(queued), status(queued_too)]) == [200, 409]
    return time.monotonic() - start


def check_left():
    slow = send(SLOW, "gone")
    time.sleep(0.3)
    slow.close()
    start = time.monotonic()
    assert status(send(QUICK, "stays")) == 200
    return time.monotonic() - start


def time_quick():
    start = time.monotonic()
    assert status(send(QUICK, "first")) == 200
    return time.monotonic() - start


def main():
    time_quick()  # opens the scene
    alone = time_quick()  # a busy machine takes longer for everything
    took = [check_newest(), check_left()]
    assert max(took) < 5 + 30 * alone, (took, alone)
    print("older work ended after", ", ".join(f"{seconds:.2f} s" for seconds in took))


if __name__ == "__main__":
    main()
