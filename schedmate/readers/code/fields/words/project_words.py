"""What the project says that it is: the title of its README, the first words of the program itself, quoted."""

import ast

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.models import family_of
from schedmate.knowledge.tasks import is_phrase, words_of
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import SourceLocation
from schedmate.tools.late_patterns import late_re2

READMES = ("README.md", "readme.md", "README.rst", "README", "README.txt", "Readme.md")
LINES = 40
RIGHTS = ("SPDX-", "Copyright")

NO_WORDS = ("http", "[", "|", "Image:", "Figure:", "Fig.", "Photo:", "Image by", "Photo by", "Credit", *RIGHTS)
"""How lines begin that say nothing of the project: links, tables, what stands below a picture."""
NEWS = re2.compile(r"(?i)^[-+\s]*(?:_+\s*)?(?:news|updates?|changelog|what'?s new|\[?\(?20\d\d[-/.]\d+)\b")
"""How lines begin that tell what came lately, of one part of a project mostly."""
MARKUP = re2.compile(r"<[^>]*>|\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|https?://\S+|!?\[[^\]]*\]\([^)]*\)|[*`#]|:[a-z_]+:")

EMPHASIS = re2.compile(r"(^|[\s(])_+|_+($|[\s).,:;!?])")
"""Underscores around words; those inside of one belong to it: `river_net`."""
SOURCES = frozenset({"code", "codes", "src", "source", "sources", "python", "scripts", "script"})
"""How folders are called that hold a project's programs and nothing else."""
TITLE_ENDS = re2.compile(r":|\s[-\x{2013}\x{2014}]\s")

LEADS = late_re2(
    r"(?i)^(?:(?:the|an?|official|unofficial|pytorch|tensorflow|keras|paddle|jax|code|source|implementation|repository|repo)\s+)+"
    r"(?:of|for)\s+(?:the\s+)?"
)
"""What a title may begin with before the name: `Official implementation of`."""
NAME = re2.compile(r"^[A-Za-z][\w.+-]*(?: [A-Za-z0-9][\w.+-]*){0,2}$")
PLAIN = frozenset(words("tasks.plain_titles"))

GATHERED = frozenset(words("tasks.gathered_titles"))

LONGEST_TITLE = 80
"""So far into a line a project says what it is."""

HOMONYMS = frozenset(words("networks.homonyms"))
"""Libraries that are called as networks are, after which a project may be called: `gin-train`."""

AFTER_NAMES = PLAIN | {"paddle", "master", "chinese", "english", "japanese", "korean", "german", "french"}
"""Words behind a model's name in a title that are no part of it."""
SHORT = 3

DETAIL = re2.compile(r"^\s*(?:[-*+]\s+)?(\*\*|__)[^*_:]{1,40}(?::\*\*|\*\*\s*:|:__|__\s*:)")
"""How one of several details on a project begins, its word in bold: `**Date:** Monday`."""
PARTS = re2.compile(r"(?i)^(?:step|part|phase|stage|chapter|section|lesson|lecture|lab|exercise|week|day)\s*#?\d+\b")
"""How headings of instructions and of courses begin, which name nothing: `Step 1: Set up`."""


def project_lines(view: View) -> list[tuple[str, SourceLocation]]:
    """Give the headings and first lines of the README nearest to the program on the way up, without markup."""
    entry = view.program.entry
    folder = entry.path.rpartition("/")[0] if entry is not None else ""
    folders = [folder, *(folder[:at] for at in range(len(folder) - 1, 0, -1) if folder[at] == "/")]
    read = (lines_of_readme(view, folder) for folder in dict.fromkeys([*folders, ""]))
    return next((lines for lines in read if lines is not None), [])


def lines_of_readme(view: View, folder: str) -> list[tuple[str, SourceLocation]] | None:
    """Give the headings and first lines of the README of a folder, without markup; the whole project's lies in none."""
    for name in READMES:
        path = f"{folder}/{name}" if folder else name
        text = view.run.repository.readable_text(path)
        if text is not None:
            lines = enumerate(text.split("\n")[:LINES], 1)
            found = [(bare(line), SourceLocation(path, number)) for number, line in lines]
            return [(text[:300], spot) for text, spot in found if tells(text)]
    return None


def tells(text: str) -> bool:
    """Tell a line with words of its own, not what is left of a list of links."""
    return any(map(str.isalpha, text)) and not text.startswith(NO_WORDS) and not NEWS.search(text)


def program_lines(view: View) -> list[tuple[str, SourceLocation]]:
    """Give what the program says that it is: the description that its parser prints, the docstring it begins with."""
    found = []
    for event in view.named("new ArgumentParser", "ArgumentParser"):
        told = event.kwargs.get("description")
        if told is not None and isinstance(told.data, str) and told.src:
            found.append((told.data.strip()[:300], told.src[0]))
    entry = view.program.entry
    tree = view.run.trees.get(entry.path) if entry is not None else None
    if entry is not None and isinstance(tree, ast.Module) and (text := ast.get_docstring(tree)):
        first = text.strip().split("\n\n", 1)[0][:300]
        found.append((first, SourceLocation(entry.path, tree.body[0].lineno, quote=first.split("\n", 1)[0])))
    return found


def bare(line: str) -> str:
    """Take the markup off a line."""
    return str(EMPHASIS.sub(r"\1\2", str(MARKUP.sub("", line)))).strip()


def titled(view: View, name: str) -> bool:
    """Tell a name that the project's title begins with, whole: `TMR: Text-to-Motion Retrieval`."""
    heads = (TITLE_ENDS.split(text, 1)[0].strip() for text, _ in project_lines(view)[:2])
    return any(head.lower() == name.lower() for head in heads)


def stands_beside(view: View, spot: SourceLocation) -> bool:
    """Tell a text about the program alone: the README of its folder, or of the one whose sources that folder holds."""
    entry = view.program.entry
    if entry is None:
        return False
    above, _, own = entry.path.rpartition("/")[0].rpartition("/")
    home = spot.path.rpartition("/")[0]
    return home == entry.path.rpartition("/")[0] or (own.lower() in SOURCES and home == above)


def title_name(view: View, known: bool = False) -> None:
    """Name a model after the project's title, `HiFi-GAN: Generative ...`; with `known` only after a family's name."""
    for text, spot in project_lines(view)[:4]:
        if is_detail(view, spot):
            continue
        head = TITLE_ENDS.split(text, 1)[0]
        name = str(LEADS.sub("", head.strip()))
        words = name.lower().split()
        if view.imports.intersection(words_of(name)) & HOMONYMS or goes_on(view, text, spot):
            continue
        if not NAME.match(name) or len(name) > 40 or all(word in PLAIN for word in words) or PARTS.search(name):
            first = name.split(" ", 1)[0]
            if len(words) > 1 and family_of(first) is not None and NAME.match(first) and not known:
                view.keep("model_name", first, (spot,), "the project's title")
                return
            continue
        gathers = not GATHERED.isdisjoint(words_of(text[:LONGEST_TITLE]))
        told = any(map(str.isalpha, text[len(head) :])) and not known and not PLAIN.intersection(words) and not gathers
        if told or (family_of(name) is not None and (not known or stands_beside(view, spot))):
            view.keep("model_name", without_task(name), (spot,), "the project's title")
            return


def is_detail(view: View, spot: SourceLocation) -> bool:
    """Tell one of several lines that each begin with a word in bold: when a course is held, by whom."""
    lines = (view.run.repository.readable_text(spot.path) or "").split("\n")[:LINES]
    details = [number for number, line in enumerate(lines, 1) if DETAIL.search(line)]
    return len(details) > 1 and spot.line in details


def goes_on(view: View, text: str, spot: SourceLocation) -> bool:
    """Tell a line in the middle of a sentence, which was only wrapped there."""
    lines = (view.run.repository.readable_text(spot.path) or "").split("\n")
    before = lines[spot.line - 2].strip() if 1 < spot.line <= len(lines) else ""
    return text[:1].islower() and tells(bare(before)) and not before.startswith("#") and before[-1] not in ".!?>"


def without_task(name: str) -> str:
    """Take off what a title joins to a known model's name: its task, what it is written in."""
    for cut in (at for at, sign in enumerate(name) if sign in "-_ "):
        after = words_of(name[cut:])
        left = [word for word in after if word not in AFTER_NAMES]
        is_task = bool(left) and is_phrase(left) and (len(after) > 1 or len(left[0]) > SHORT or left == ["ner"])
        if family_of(name[:cut]) is not None and (not left or is_task):
            return name[:cut]
    return name
