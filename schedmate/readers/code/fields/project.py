"""What the project says that it is: the title of its README or the description in its packaging, quoted."""

import re2

from schedmate.knowledge.models import family_of
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.values import Spot
from schedmate.tools.repository import NotReadable

READMES = ("README.md", "readme.md", "README.rst", "README", "README.txt", "Readme.md")
LINES = 40
HEADING = re2.compile(r"^\s*(?:#+\s*|<h[12][^>]*>\s*)(.+?)(?:</h[12]>)?\s*#*\s*$")
MARKUP = re2.compile(r"<[^>]*>|!?\[[^\]]*\]\([^)]*\)|[*_`#]|:[a-z_]+:")
NAME = re2.compile(r"^[A-Za-z][\w.+-]*(?: [A-Za-z0-9][\w.+-]*){0,2}$")
PLAIN = frozenset(
    [
        "pytorch",
        "tensorflow",
        "jax",
        "keras",
        "official",
        "implementation",
        "code",
        "repository",
        "project",
        "the",
        "a",
        "an",
        "of",
        "for",
        "in",
        "with",
        "training",
        "train",
        "example",
        "examples",
        "tutorial",
        "model",
        "models",
        "paper",
        "library",
        "toolkit",
        "framework",
        "learning",
        "deep",
    ]
)


def project_lines(view: View) -> list[tuple[str, Spot]]:
    """Give the headings and first lines of the README beside the program, without markup."""
    repository = view.run.repository
    entry = view.program.entry
    folders = [entry.path.rpartition("/")[0]] if entry is not None else []
    for folder in dict.fromkeys([*folders, ""]):
        for name in READMES:
            path = f"{folder}/{name}" if folder else name
            try:
                if not repository.is_file(path):
                    continue
                lines = repository.read_text(path).split("\n")[:LINES]
            except NotReadable:
                continue
            found = [(MARKUP.sub("", line).strip(), Spot(path, number)) for number, line in enumerate(lines, 1)]
            return [(text[:300], spot) for text, spot in found if text and not text.startswith(("http", "[", "|"))]
    return []


def title_name(view: View) -> None:
    """Name a model whose class has any model's name after the project's title: `HiFi-GAN: Generative ...`."""
    for text, spot in project_lines(view)[:4]:
        head, colon, _ = text.partition(":")
        name = head.strip()
        words = name.lower().split()
        if not NAME.match(name) or len(name) > 40 or all(word in PLAIN for word in words):
            continue
        if family_of(name) is not None or (colon and not PLAIN.intersection(words)):
            view.keep("model_name", name, (spot,), "the project's title")
            return
