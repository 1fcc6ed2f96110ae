"""Find lines of a repository that match a pattern, in linear time whatever the pattern."""

import re2

from schedmate.tools.masking import mask_code
from schedmate.tools.repository import NotReadable, Repository, decode

MOST_HITS = 40
MOST_FILES = 4_000
MOST_BYTES = 64_000_000
LARGEST_SEARCHED = 400_000
LONGEST_SHOWN = 200


def code_search(repository: Repository, pattern: str, path: str = ".", most: int = MOST_HITS) -> str:
    """Give `file:line: text` of each hit; a pattern that is no regular expression is searched as it stands."""
    found, complete = find_lines(repository, pattern, path, most)
    lines = [f"{name}:{number}: {line}" for name, number, line in found]
    if not lines:
        lines = [f"[no line matches {pattern[:80]!r}]"]
    if not complete:
        lines.append("[not all files were searched, or more lines match: narrow the pattern or the path]")
    text = "\n".join(lines)
    repository.trace.note("search", pattern[:200], text)
    return text


def find_lines(repository: Repository, pattern: str, path: str, most: int) -> tuple[list[tuple[str, int, str]], bool]:
    """Search within limits of files, bytes and hits; tell whether all was searched."""
    wanted = compiled(pattern)
    hits: list[tuple[str, int, str]] = []
    spent = 0
    for count, name in enumerate([path] if repository.is_file(path) else repository.walk(path)):
        if count >= MOST_FILES or spent > MOST_BYTES:
            return hits, False
        try:
            raw = repository.read_bytes(name, LARGEST_SEARCHED)
            spent += len(raw)
            text = decode(raw, name)
        except NotReadable:
            continue
        if not wanted.search(text):
            continue
        for number, line in enumerate(mask_code(text).split("\n"), 1):
            if wanted.search(line):
                hits.append((name, number, line.strip()[:LONGEST_SHOWN]))
                if len(hits) >= most:
                    return hits, False
    return hits, True


def compiled(pattern: str) -> "re2._Regexp[str]":
    """Compile for a linear-time engine; quiet, since a model's pattern may well be broken."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.one_line = False
    try:
        return re2.compile(pattern[:500], options)
    except re2.error:
        return re2.compile(re2.escape(pattern[:500]), options)
