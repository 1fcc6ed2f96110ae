"""Folders of data that are called after the project's own network, which is not what it learns from."""

import posixpath
from itertools import islice

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import squash
from schedmate.readers.code.evidence.view import View

FOLDERS = frozenset(words("networks.folders"))
MOST_SEARCHED = 10_000


def names_own_network(view: View, name: str) -> bool:
    """Tell a name that the project has for its network: the model's, or that of a file of one."""
    said = squash(name)
    if not said:
        return False
    return said == squash(str(view.get("model_name") or "")) or said in view.once(files_of_networks)


def files_of_networks(view: View) -> set[str]:
    """Name the files of networks: `models/heron.py`."""
    paths = (path for path in islice(view.run.repository.walk(), MOST_SEARCHED) if path.endswith(".py"))
    inside = (path for path in paths if posixpath.basename(posixpath.dirname(path)).lower() in FOLDERS)
    return {squash(posixpath.basename(path).removesuffix(".py")) for path in inside}
