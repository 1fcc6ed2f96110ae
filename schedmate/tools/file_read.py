"""Show a file page by page, lines numbered, so that what is quoted can be named by its line."""

from schedmate.counts import how_many
from schedmate.tools.masking import mask_code
from schedmate.tools.notebook import is_notebook, notebook_source
from schedmate.tools.reading_trace import CHARACTERS_A_TOKEN
from schedmate.tools.repository import LARGEST_FILE, Repository, decode

PAGE_TOKENS = 4_000
LONGEST_LINE = 400


def file_read(repository: Repository, path: str, start_line: int = 1, page_tokens: int = PAGE_TOKENS) -> str:
    """Give the lines of a file from `start_line` that fit on a page, and where the next page begins."""
    path = path.strip().removeprefix("./")
    known = path in repository.texts
    text = repository.texts[path] if known else page_source(repository, path)
    lines = text.split("\n")
    start = max(1, start_line)
    room = page_tokens * CHARACTERS_A_TOKEN
    shown: list[str] = []
    for number, line in enumerate(lines[start - 1 :], start):
        written = f"{number:5} {line[:LONGEST_LINE]}{' [cut]' if len(line) > LONGEST_LINE else ''}"
        room -= len(written) + 1
        if room < 0 and shown:
            shown.append(f"[{how_many(len(lines), 'line')} in all; go on with start_line={number}]")
            break
        if is_notebook(path) and not line:
            continue
        shown.append(written)
    page = "\n".join(shown) or f"[no line {start}: the file has {len(lines)}]"
    repository.trace.note("file_read", path, page, f"from line {start}" if start > 1 else "")
    return page


def page_source(repository: Repository, path: str) -> str:
    """Read a file without noting it; only the page that is shown counts as read."""
    text = mask_code(decode(repository.read_bytes(path, LARGEST_FILE), path))
    if is_notebook(path):
        text = notebook_source(text)
    return text
