"""A list of pods that the server keeps up to date: listed once, then watched, and listed anew when it has forgotten.

Bookmarks move the version on while nothing changes, so that a watch which ends is taken up again and not listed anew.
Who may list and not watch has the list read again and again.
"""

import threading

from schedmate.clusters.kubernetes.api import Gone, KubernetesApi, Object
from schedmate.clusters.managed import Refused, Unreachable

EVERY_S = 5.0


class PodWatch:
    """Keeps the pods of one place, in a thread of its own."""

    def __init__(self, api: KubernetesApi, where: str, asked: dict[str, str | int], over: threading.Event) -> None:
        self.api = api
        self.where = where
        self.asked = asked
        self.over = over
        self.pods: dict[str, Object] = {}
        self.version = ""
        self.listed = threading.Event()
        """The pods are known, or why they are not."""
        self.error: Exception | None = None
        """Why nothing is heard any more."""

    def start(self) -> None:
        """Begin to listen."""
        threading.Thread(target=self.listen, name="pod-watch", daemon=True).start()

    def now(self) -> list[Object]:
        """Give the pods as they are; say why they are not known."""
        self.listed.wait()
        if self.error is not None:
            raise self.error
        return [*self.pods.values()]

    def listen(self) -> None:
        """List and watch until all is over, or the server is out of reach."""
        try:
            while not self.over.is_set():
                self.list()
                self.listed.set()
                self.watch_on()
        except (Refused, Unreachable, OSError) as error:
            self.error = error
            self.listed.set()

    def list(self) -> None:
        """Take all that there is."""
        found: dict[str, Object] = {}
        for page in self.api.pages(self.where, **self.asked):
            found |= {uid_of(item): item for item in page.get("items") or []}
            self.version = version_of(page)
        self.pods = found

    def watch_on(self) -> None:
        """Take up the watch again and again, as long as the server knows the version; else give way to a list."""
        try:
            while not self.over.is_set():
                self.watch()
        except Gone:
            return
        except Refused:
            self.over.wait(EVERY_S)

    def watch(self) -> None:
        """Hear what changes, until the server ends it; where it ends at once, the next is not asked for at once."""
        before = self.version
        for event in self.api.events(self.where, self.version, **self.asked):
            self.take(str(event["type"]), event["object"])
            if self.over.is_set():
                return
        if self.version == before:
            self.over.wait(1.0)

    def take(self, kind: str, item: Object) -> None:
        """Take in one event; a bookmark tells nothing but the version."""
        self.version = version_of(item) or self.version
        if kind in {"ADDED", "MODIFIED"}:
            self.pods = self.pods | {uid_of(item): item}
        elif kind == "DELETED":
            self.pods = {uid: pod for uid, pod in self.pods.items() if uid != uid_of(item)}


def uid_of(item: Object) -> str:
    """Give what tells an object from all others, also from one that has its name later."""
    meta = item.get("metadata") or {}
    return str(meta.get("uid") or f"{meta.get('namespace')}/{meta.get('name')}")


def version_of(item: Object) -> str:
    """Give the version of a list or an object."""
    return str((item.get("metadata") or {}).get("resourceVersion") or "")
