"""Notebooks that a command executes, and the parameters that papermill puts over theirs."""

import posixpath

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.libraries.argument_words import guess, joined, word_text
from schedmate.readers.code.values.value import Value, mapping_of
from schedmate.tools.notebook import is_notebook
from schedmate.tools.repository import Repository

EXECUTES = ("execute", "run", "--execute")
"""How programs that do much else with notebooks are told to run one."""
ASKED = ("jupyter", "nbconvert", "jupytext", "quarto")
"""Programs that run a notebook if they are told to."""
RUNNERS = ("runipy", "treon")
"""Programs that do nothing but run notebooks."""
AS_PAPERMILL = ("papermill", "ploomber-engine")
"""Programs that run a notebook with parameters put over its own."""


def executed_notebooks(launch: Launch) -> list[str]:
    """Name what may be the notebook that papermill or Jupyter executes; one that is shown or converted is not run."""
    name = posixpath.basename(launch.name)
    texts = [word_text(word) for word in launch.words]
    always = is_papermill(launch) or name in RUNNERS
    if launch.kind not in ("tool", "module") or not (always or name.startswith(ASKED)):
        return []
    if not always and not name.endswith("-execute") and not any(text in EXECUTES for text in texts):
        return []
    return [text for text in texts[1:] if is_notebook(text)]


def is_papermill(launch: Launch) -> bool:
    """Tell papermill, or what takes its words, as a command or a module."""
    return posixpath.basename(launch.name) in AS_PAPERMILL


def given_parameters(repository: Repository, launch: Launch) -> dict[str, Value]:
    """Read papermill's `-p name value`, `-y 'name: value'` and `-f parameters.yaml`."""
    found: dict[str, Value] = {}
    words = launch.words if is_papermill(launch) else []
    for place, word in enumerate(words):
        text = word_text(word)
        following = words[place + 1 : place + 3]
        if text in ("-p", "--parameters", "-r", "--parameters_raw") and len(following) == 2:
            raw = word_text(following[1])
            value = raw if text in ("-r", "--parameters_raw") else guess(raw)
            found[word_text(following[0])] = Value(value, joined(following[0], following[1]))
        elif text in ("-y", "--parameters_yaml") and following:
            given = mapping_of(read_yaml(word_text(following[0]), ""))
            found |= {str(name): Value(value.data, following[0].src) for name, value in given.items()}
        elif text in ("-f", "--parameters_file") and following:
            path = posixpath.normpath(posixpath.join(launch.workdir, word_text(following[0])))
            given = mapping_of(read_yaml(repository.readable_text(path) or "", path))
            found |= {str(name): value for name, value in given.items()}
    return found
