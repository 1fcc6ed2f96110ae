"""A loop that is killed at random lines of its own code, again and again; run as a process of its own.

Each life is a fork that counts the lines it executes in the files that keep the books, and kills itself (SIGKILL, no
clean-up) at one drawn beforehand. Jobs watch over themselves: each says when it starts, and takes locks that show if it
runs twice at once or shares a slot.
"""

import json
import os
import random
import signal
import sys
from importlib import import_module
from pathlib import Path

from schedmate.clusters import NodeSpec
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.scheduling.recovery.owner_rules import RecoveryRules, Rules, ToolRules

WATCHED = (
    "local/books.py",
    "local/cluster.py",
    "local/ends.py",
    "local/nodes.py",
    "waiting.py",
    "local/runs.py",
    "live.py",
    "recovery/engine.py",
    "recovery/life.py",
    "store_book.py",
    "approvals.py",
    "checkpoints.py",
    "aftermath.py",
    "service.py",
    "loop.py",
    "database.py",
)
NODES = [NodeSpec(f"node{number}", 1, "cpu") for number in (1, 2, 3)]
QUIET_S = 300.0
JOB = """
import fcntl, os, sys, time
job, run, kind = os.environ["SCHEDMATE_JOB_ID"], os.environ["SCHEDMATE_RUN"], sys.argv[1]
ledger = os.open("ledger", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def note(word): os.write(ledger, f"{word} {job} {run}\\n".encode())
def only(name, word):
    lock = os.open(name, os.O_RDWR | os.O_CREAT)
    try: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError: note(word)
only(f"job-{job}", "TWICE")
for part in os.environ["SCHEDMATE_PLACEMENT"].split(";"): only(f"slot-{part}", "CLASH")
note("start")
time.sleep(float(sys.argv[2]))
if kind == "xid" and run == "1": print("Xid 79"); sys.exit(1)
if kind == "bug": print("KeyError"); sys.exit(1)
note("end")
"""


def live(data_dir, mode, lines):
    """Run a loop that dies after so many lines; never with 0. In mode `suggest` somebody approves whatever is asked."""
    rules = Rules(recovery=RecoveryRules(isolate_share=0.4), tools=ToolRules(dcgmi="finds"))
    options = ServiceOptions(
        data_dir,
        NODES,
        mode=mode,
        rules=rules,
        reading="tests.scheduling.live.quick_reading",
        tracks=False,
        grace_s=0.5,
    )
    left = [lines]

    def count(frame, event, argument):
        if event == "line":
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return count

    def watch(frame, event, argument):
        return count if frame.f_code.co_filename.endswith(WATCHED) else None

    if lines:
        sys.settrace(watch)
    service = Service(options, lambda text: None)
    tend = service.tend

    def tend_and_watch():
        tend()
        approve_all(service)
        if all_over(service.store):
            service.stop()

    service.tend = tend_and_watch
    service.run()
    sys.settrace(None)
    service.close()


def approve_all(service):
    """Say yes to each proposal, as often as it takes; a yes that comes twice is refused, not done twice."""
    for row in service.store.actions(("proposed",)):
        service.store.ask("approve", row.id)
        service.desk.serve()


def all_over(store):
    """Tell whether nothing is left to be done."""
    open_actions = store.actions(("planned", "proposed", "approved", "started"))
    return not store.jobs(("pending", "running", "examined")) and not store.runs() and not open_actions


def submit(data_dir, work, rng, number):
    """Hand in one job, twice with one token, as an impatient user would."""
    kind = ("xid", "bug", "good", "good", "good")[number % 5]
    command = (sys.executable, "-S", "-c", JOB, kind, f"{rng.random() * 0.2:.3f}")
    store = LiveStore(data_dir)
    for _ in range(2):
        store.submit(Submission(command, str(work), {"PATH": os.environ["PATH"]}, user="u"), f"t{number}", 1.0)
    store.close()


def main():
    """Kill so many loops on the way through so many jobs; then let one finish, and print what came of it."""
    folder, mode, seed, kills, jobs = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:6])
    if mode == "suggest":
        import_once()
    data_dir, work, rng = folder / "data", folder / "work", random.Random(seed)
    work.mkdir(parents=True)
    killed, submitted, lives = 0, 0, 0
    while killed < kills:
        if submitted < jobs and submitted * kills <= killed * jobs:
            submit(data_dir, work, rng, submitted)
            submitted += 1
        killed += life(data_dir, mode, rng.choice((40, 200, 600, 1500)) * rng.random()) == -signal.SIGKILL
        lives += 1
    for number in range(submitted, jobs):
        submit(data_dir, work, rng, number)
    last = life(data_dir, mode, 0)
    print(json.dumps({"killed": killed, "lives": lives, "last": last}))


def import_once():
    """Import LangGraph before lives are forked, so that each is not a second of importing."""
    for module in ("langgraph.checkpoint.sqlite", "langgraph.graph"):
        import_module(module)


def life(data_dir, mode, lines):
    """Fork a life and wait for its end."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(int(QUIET_S))
    try:
        live(data_dir, mode, int(lines) + 1 if lines else 0)
        os._exit(0)
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    main()
