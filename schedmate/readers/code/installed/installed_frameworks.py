"""With what a program computes that is not here: by what its folder says is to be installed."""

import posixpath

import re2

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import SourceLocation
from schedmate.tools.repository import Repository, inside

REQUIREMENTS = ("requirements.txt", "environment.yml", "environment.yaml", "setup.py", "pyproject.toml", "Dockerfile")
INSTALLED = re2.compile(
    r"(?:^|[\s'\",(-])(torch|tensorflow|tensorflow-gpu|jax|mxnet(?:-cu\d+)?|paddlepaddle(?:-gpu)?|mindspore)(?:[=<>~!\[\s'\",;:)@]|$)"
)
PACKAGES = {
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "jax": "JAX",
    "mxnet": "MXNet",
    "paddle": "PaddlePaddle",
    "mindspore": "MindSpore",
}
LONGEST_LIST = 400


def frameworks_installed(repository: Repository, folder: str) -> dict[str, SourceLocation]:
    """Name the frameworks that a folder's lists of requirements and its Dockerfile install, each with its line."""
    found: dict[str, SourceLocation] = {}
    for name in REQUIREMENTS:
        path = posixpath.normpath(inside(folder, name))
        for number, line in enumerate(repository.glimpse(path).split("\n")[:LONGEST_LIST], 1):
            said = line.partition("#")[0]
            if name == "Dockerfile" and "install" not in said:
                continue
            match = INSTALLED.search(said)
            if match is not None:
                label = next(label for word, label in PACKAGES.items() if str(match.group(1)).startswith(word))
                found.setdefault(label, SourceLocation(path, number))
    return found


def tell_installed_framework(view: View) -> None:
    """Take the one framework that the job's folder, or the project, says is to be installed for it."""
    for folder in dict.fromkeys((view.launch.workdir, ".")):
        found = frameworks_installed(view.run.repository, folder)
        if len(found) == 1:
            name, spot = found.popitem()
            view.keep("framework", name, (spot,), "what is installed for it")
        if found:
            return
