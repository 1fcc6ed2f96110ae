"""The store as pages see it: looked at only, by a connection for each thread."""

import threading
from pathlib import Path

from schedmate.scheduling.live.stores import OwnStore


class Looking:
    """Opens the store to be looked at; a thread keeps its connection, as opening costs more than most questions."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.own = threading.local()
        self.opened: list[OwnStore] = []
        self.lock = threading.Lock()

    def store(self) -> OwnStore:
        """Give this thread's store."""
        store: OwnStore | None = getattr(self.own, "store", None)
        if store is None:
            store = self.own.store = OwnStore(self.data_dir, only_look=True)
            with self.lock:
                self.opened.append(store)
        return store

    def close(self) -> None:
        """Let go of all."""
        with self.lock:
            for store in self.opened:
                store.close()
            self.opened.clear()
