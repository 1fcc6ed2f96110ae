"""Programs that a script makes of notebooks before it starts them: `jupyter nbconvert --to script study.ipynb`."""

import posixpath

from schedmate.readers.code.shell.session import ShellSession
from schedmate.readers.code.values.value import Value
from schedmate.tools.notebook import is_notebook

CONVERTERS = ("jupyter", "jupyter-nbconvert", "jupytext")

FORMATS = ("script", "python", "py")
"""Into what a notebook is turned that Python runs; behind the last one more may be said of its layout: `py:percent`."""
TO, NAMED, FOLDERS = ("--to",), ("--output", "-o"), ("--output-dir",)


def keep_converted(shell: ShellSession, words: list[Value]) -> bool:
    """Keep where the program lies that a notebook of the repository is turned into; tell whether a command does so."""
    texts = [str(word.data) for word in words]
    if posixpath.basename(texts[0]) not in CONVERTERS or told(texts, TO).partition(":")[0] not in FORMATS:
        return False
    name, folder = told(texts, NAMED), told(texts, FOLDERS)
    for text in texts[1:]:
        path = posixpath.normpath(posixpath.join(shell.workdir, text))
        if is_notebook(text) and shell.repository.is_file(path):
            stem = posixpath.splitext(posixpath.basename(path))[0]
            made = posixpath.basename(name).removesuffix(".py") or stem
            home = posixpath.join(shell.workdir, folder or posixpath.dirname(name))
            home = home if folder or "/" in name else posixpath.dirname(path)
            shell.copy(posixpath.normpath(posixpath.join(home, f"{made}.py")), path)
    return True


def told(texts: list[str], options: tuple[str, ...]) -> str:
    """Give what an option says, joined to it or behind it."""
    for text, following in zip(texts, [*texts[1:], ""], strict=True):
        key, equals, inline = text.partition("=")
        if key in options:
            return inline if equals else following
    return ""
