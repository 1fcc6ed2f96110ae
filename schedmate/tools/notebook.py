"""Read a notebook as Python whose lines stand where they do in the notebook, so that a quote can be checked there."""

import json

import re2

from schedmate.tools.plain_text import encodable


def is_notebook(path: str) -> bool:
    """Tell a notebook by its ending, in whatever letters it is written."""
    return path.lower().endswith(".ipynb")


def notebook_source(raw: str) -> str:
    """Put each code line where it stands in the JSON text; magics become comments, everything else blank lines."""
    out = [""] * (raw.count("\n") + 1)
    for number, code in notebook_lines(raw):
        out[number - 1] = code
    return "\n".join(out)


def notebook_lines(raw: str) -> list[tuple[int, str]]:
    """Give each code line with the line of the JSON text that it stands on; many may share one."""
    return [line for cell in notebook_cells(raw) for line in cell]


def notebook_cells(raw: str) -> list[list[tuple[int, str]]]:
    """Give the code lines of each cell, with the lines of the JSON text that they stand on."""
    cells: list[list[tuple[int, str]]] = []
    position, line_number = 0, 0
    for source in code_cells(raw):
        cells.append(found := [])
        for line, code in zip(source, as_python([line.rstrip("\n") for line in source]), strict=True):
            written = json.dumps(line)[1:-1]
            place = raw.find(written, position)
            if place < 0:
                place = raw.find(json.dumps(line, ensure_ascii=False)[1:-1], position)
            if place < 0:
                continue
            line_number += raw.count("\n", position, place)
            position = place
            found.append((line_number + 1, code))
    return cells


SHELLS = ("bash", "sh", "shell", "system", "cmd")
"""Cell magics that hand the whole cell to a shell."""


def shell_lines(raw: str) -> list[tuple[int, str]]:
    """Give what code cells hand to a shell, line by line or as a whole cell, with the line of the JSON text."""
    found: list[tuple[int, str]] = []
    position = 0
    for source in code_cells(raw):
        magic = source[0].split() if source else []
        whole = bool(magic) and magic[0].startswith("%%") and magic[0][2:] in SHELLS
        for place, line in enumerate(source):
            at = raw.find(json.dumps(line)[1:-1], position)
            position = at if at >= 0 else position
            if line.lstrip().startswith("!") or (whole and place == 1):
                text = "".join(source[1:]) if whole else line.strip()[1:]
                found.append((raw.count("\n", 0, position) + 1, text))
    return found


OTHER_LANGUAGES = ("script", "html", "javascript", "js", "latex", "svg", "markdown", "perl", "ruby", "R",
                   "sql", "cython", "sx")  # fmt: skip
"""Cell magics behind which no Python stands."""
ASSIGNED = re2.compile(r"^(\s*[\w.,\[\] ]+=\s*)[!%]")

STARTS = re2.compile(
    r"\b(python[0-9.]*|torchrun|accelerate|deepspeed|mpirun|horovodrun|papermill)\b|\b(?:echo|cat|printf)\b[^\n]*>"
)
"""Shell text that starts programs, or writes what they read."""
FILLED = re2.compile(r"^[^{}]*(?:\{[\w.]+\}[^{}]*)+$")
"""A shell line into which the notebook puts its own names: `!python train.py --lr {lr}`."""
RUN_HERE = ("time", "timeit", "prun", "memit", "capture")
"""Line magics that run the Python behind them."""


def as_python(lines: list[str]) -> list[str]:
    """Write a cell as Python, line for line: what is no Python gives way to `pass`, what starts a program starts it."""
    first = next((line.strip() for line in lines if line.strip()), "")
    magic, *rest = first.removeprefix("%%").split() if first.startswith("%%") else [""]
    if magic in OTHER_LANGUAGES:
        return ["" for _ in lines]
    if magic in SHELLS or (magic in ("writefile", "file") and rest):
        return as_text(lines, magic, rest)
    made: list[str] = []
    goes_on = False
    for number, line in enumerate(lines):
        text = line.strip()
        special = goes_on or text.startswith(("%", "!", "?")) or is_question(text) or bool(ASSIGNED.search(line))
        whole = line if goes_on else continued(lines[number:])
        made.append(without_magic(whole, goes_on) if special else line)
        goes_on = special and text.endswith("\\")
    return made


def continued(lines: list[str]) -> str:
    """Put a line and those that its backslashes lead to into one."""
    whole = ""
    for line in lines:
        text = line.rstrip()
        whole += text.removesuffix("\\") if text.endswith("\\") else line
        if not text.endswith("\\"):
            break
    return whole


def as_text(lines: list[str], magic: str, rest: list[str]) -> list[str]:
    """Write a cell that holds a shell's text or a file's as a call with that text, line for line."""
    place = next(number for number, line in enumerate(lines) if line.strip())
    text = "\n".join(lines[place + 1 :])
    if magic in SHELLS and not STARTS.search(text):
        return ["" for _ in lines]
    before = (
        "import os; os.system("
        if magic in SHELLS
        else f"open({rest[-1]!r}, {'a' if '-a' in rest[:-1] else 'w'!r}).write("
    )
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    body = f'{before}"""\n{quoted}""")'
    return [*([""] * place), *body.split("\n")][: len(lines)]


def is_question(text: str) -> bool:
    """Tell a question for documentation, as `torch.nn.Linear?`."""
    return text.endswith("?") and text.rstrip("?").replace(".", "").replace("_", "").isalnum()


def without_magic(line: str, goes_on: bool) -> str:
    """Write a line that only notebooks know as one of Python."""
    text, indent = line.strip(), line[: len(line) - len(line.lstrip())]
    if goes_on or text.startswith("%%"):
        return indent if goes_on else "#" + line
    assigned = ASSIGNED.search(line)
    if assigned is not None:
        return f"{assigned.group(1)}None"
    name, _, rest = text.lstrip("%").partition(" ")
    if text.startswith("%") and name in RUN_HERE and rest.strip() and not rest.lstrip().startswith("-"):
        return indent + rest.strip()
    command = text.lstrip("!").strip()
    if text.startswith("!") and (STARTS.search(text) or FILLED.search(command)):
        return f"{indent}import os; os.system({'f' if FILLED.search(command) else ''}{command!r})"
    return f"{indent}pass  # {text}"


def code_cells(raw: str) -> list[list[str]]:
    """Give each code cell as a list of lines; a broken notebook has none."""
    try:
        book = json.loads(raw)
    except (ValueError, RecursionError):
        return []
    cells = book.get("cells") if isinstance(book, dict) else None
    found = []
    for cell in cells if isinstance(cells, list) else []:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source")
        if isinstance(source, str):
            source = source.splitlines(keepends=True)
        if isinstance(source, list):
            found.append([encodable(line) for line in source if isinstance(line, str)])
    return found
