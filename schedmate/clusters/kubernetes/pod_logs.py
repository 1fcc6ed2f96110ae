"""The logs of pods as files that grow, for whoever follows files; and how their containers ended.

Each run of a container has a file of its own, so that a restart neither hides a death nor ends in another's log.
Lines keep the time stamps that Kubernetes puts before them: after a restart of ours they tell where to go on.
"""

import os
import re
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from schedmate.clusters.kubernetes.api import KubernetesApi, Object, open_api
from schedmate.clusters.kubernetes.pod_watch import PodWatch
from schedmate.clusters.kubernetes.pods import read_pod
from schedmate.clusters.log_ends import LogEnd
from schedmate.clusters.managed import Refused, Unreachable
from schedmate.errors import InputError
from schedmate.readers.failures.exit_codes import read_end

EVERY_S = 5.0
AT_ONCE = 8
FIRST_LINES = 5000

MOST_BYTES = 256 << 20
"""Of one file; of a log that prints more the rest is not followed."""
GONE_S = 3600.0
"""Files of pods that are gone are kept for so long."""
NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d) ")
TAIL_BYTES = 1 << 16


class ContainerRun(NamedTuple):
    """One run of a container."""

    namespace: str
    pod: str
    container: str
    number: int
    previous: bool
    """It is over, and another has begun."""
    end: LogEnd | None

    def path(self, folder: Path) -> Path:
        """Name its file."""
        return folder / self.namespace / self.pod / f"{self.container}-{self.number}.log"


class PodLogs:
    """Follows all pods that a selector names, in a thread of its own."""

    def __init__(self, folder: Path, namespace: str = "", selector: str = "", context: str = "") -> None:
        self.folder = folder
        self.where = f"/api/v1/namespaces/{namespace}/pods" if namespace else "/api/v1/pods"
        self.asked: dict[str, str | int] = {"labelSelector": selector} if selector else {}
        self.context = context
        self.ends: dict[str, LogEnd | None] = {}
        self.finished: set[ContainerRun] = set()
        """Runs that are over and were read to their end."""
        self.said = ""
        self.over = threading.Event()

    def start(self) -> None:
        """Begin to follow."""
        threading.Thread(target=self.follow, name="pod-logs", daemon=True).start()

    def take_once(self) -> None:
        """Look once, here and now."""
        with open_api(self.context) as api:
            self.take(api, api.items(self.where, **self.asked))

    def follow(self) -> None:
        """Look again and again; open the API anew where it cannot be reached."""
        while not self.over.is_set():
            try:
                with open_api(self.context) as api:
                    pods = PodWatch(api, self.where, self.asked, self.over)
                    pods.start()
                    while not self.over.is_set():
                        self.take(api, pods.now())
                        self.said = ""
                        self.over.wait(EVERY_S)
            except (Refused, Unreachable, OSError) as error:
                self.said = error.message if isinstance(error, Refused | Unreachable) else str(error)
                self.over.wait(EVERY_S)

    def take(self, api: KubernetesApi, pods: Iterable[Object]) -> None:
        """Look at all pods once: read what their logs have more, and how they ended."""
        runs = [run for item in pods for run in runs_of(item)]
        unread = [run for run in runs if run not in self.finished]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            read = list(pool.map(lambda run: self.read(api, run), unread))
        for run, whole in zip(unread, read, strict=True):
            if run.end is not None and whole:
                self.finished.add(run)
        listed = {str(run.path(self.folder)): run.end for run in runs}
        gone: dict[str, LogEnd | None] = {
            path: end or LogEnd(is_meant=True) for path, end in self.ends.items() if path not in listed
        }
        self.ends = gone | listed
        self.finished &= set(runs)
        self.tidy(listed)

    def read(self, api: KubernetesApi, run: ContainerRun) -> bool:
        """Append what is new to a run's file; False where it could not be had just now."""
        path = run.path(self.folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        last = last_stamp(path)
        parameters: dict[str, str | int] = {"container": run.container, "timestamps": "true"}
        parameters |= {"sinceTime": f"{last[:19].decode()}Z"} if last else {"tailLines": FIRST_LINES}
        parameters |= {"previous": "true"} if run.previous else {}
        fresh = path.with_suffix(".fetched")
        try:
            where = f"/api/v1/namespaces/{run.namespace}/pods/{run.pod}/log"
            if not api.log(where, fresh, MOST_BYTES, **parameters):
                return run.end is not None
            room = MOST_BYTES - (path.stat().st_size if path.exists() else 0)
            new = b"".join(line for line in fresh.read_bytes().splitlines(keepends=True) if line[:30] > last)[:room]
            if new:
                with path.open("ab") as file:
                    file.write(new if new.endswith(b"\n") else new + b"\n")
                written_s = min(moment_s(new[-TAIL_BYTES:]), time.time())
                os.utime(path, (written_s, written_s))  # what a pod printed long ago is no news
            return True
        except (Refused, Unreachable):
            return False
        finally:
            fresh.unlink(missing_ok=True)

    def tidy(self, listed: Iterable[str]) -> None:
        """Remove the files of pods that have been gone for long."""
        kept = set(listed)
        for path in [path for path in self.ends if path not in kept]:
            with suppress(OSError):
                if time.time() - os.stat(path).st_mtime > GONE_S:
                    os.unlink(path)
                    Path(path).parent.rmdir()
            if not os.path.exists(path):
                del self.ends[path]

    def look(self, paths: Iterable[str], now_s: float) -> None:
        """Nothing hangs on which logs are followed."""

    def end_of(self, path: str) -> LogEnd | None:
        """Give how the run of a log ended."""
        return self.ends.get(path)

    def close(self) -> None:
        """Stop; a question that is under way is not waited for."""
        self.over.set()


def runs_of(item: Object) -> list[ContainerRun]:
    """Give the runs of a pod's containers whose logs can be had; a name that is none is passed over."""
    meta, status = item.get("metadata") or {}, item.get("status") or {}
    namespace, name = str(meta.get("namespace")), str(meta.get("name"))
    found = []
    pod = read_pod(item, [], None, [])
    for state in status.get("containerStatuses") or []:
        container, number = str(state.get("name")), int(state.get("restartCount") or 0)
        if not all(NAME.fullmatch(word) for word in (namespace, name, container)):
            continue
        before = (state.get("lastState") or {}).get("terminated")
        if before and number:
            found.append(ContainerRun(namespace, name, container, number - 1, True, end_of(before, "")))
        now = state.get("state") or {}
        if ended := now.get("terminated"):
            found.append(ContainerRun(namespace, name, container, number, False, end_of(ended, pod.word)))
        elif now.get("running") is not None:
            found.append(ContainerRun(namespace, name, container, number, False, None))
    return found


def end_of(terminated: Object, word: str) -> LogEnd:
    """Read how a run ended: its own reason and code, or what befell the pod."""
    code, reason = int(terminated.get("exitCode") or 0), str(terminated.get("reason") or "")
    if code == 0:
        return LogEnd("COMPLETED 0", well=True)
    told = word if word and not word.lstrip("-").isdigit() else reason
    said = f"{told} {code}"
    try:
        read_end(said)
    except InputError:
        return LogEnd(str(code))
    return LogEnd(said)


def moment_s(lines: bytes) -> float:
    """Read when the last of some lines was printed; now, where they do not tell."""
    for line in reversed(lines.splitlines()):
        if STAMP.match(line):
            with suppress(ValueError):
                return datetime.fromisoformat(f"{line[:19].decode()}+00:00").timestamp()
    return time.time()


def last_stamp(path: Path) -> bytes:
    """Give the time stamp of the last line of a file; empty where there is none."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - TAIL_BYTES))
            lines = file.read().splitlines()
    except OSError:
        return b""
    return next((line[:30] for line in reversed(lines) if STAMP.match(line)), b"")
