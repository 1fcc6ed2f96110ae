"""People who look at the pages, in a process of their own: each asks again and again, as a page's script does."""

import sys
import threading
import time
from http.client import HTTPConnection

TOKEN = "a-token-for-the-benchmark"
PATHS = ("/", "/jobs", "/jobs?page=60", "/failures", "/actions")
PAUSE_S = 1.0


def look(port: int, many: int) -> None:
    """Look until standard input ends."""
    over = threading.Event()
    wrong: list[str] = []
    viewers = [
        threading.Thread(target=view, args=(port, PATHS[place % len(PATHS)], over, wrong)) for place in range(many)
    ]
    for viewer in viewers:
        viewer.start()
        time.sleep(PAUSE_S / many)
    sys.stdin.read()
    over.set()
    for viewer in viewers:
        viewer.join()
    if wrong:
        sys.exit(f"{len(wrong)} viewers were not answered: {wrong[0]}")


def view(port: int, path: str, over: threading.Event, wrong: list[str]) -> None:
    """Be one of them."""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    while not over.wait(PAUSE_S):
        connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            wrong.append(f"{path}: {answer.status}")
            break
    connection.close()
