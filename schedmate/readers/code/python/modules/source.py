"""Parse Python of any age into a tree; what cannot be parsed is blanked line by line rather than given up."""

import ast

import re2

from schedmate.counts import how_many
from schedmate.readers.code.python.modules.older_python import as_before
from schedmate.tools.notebook import is_notebook, notebook_cells
from schedmate.tools.syntax_tree import parse_module

LARGEST_SOURCE = 600_000

LARGEST_NOTEBOOK = 20_000_000
"""With the pictures that its cells printed, of which nothing is followed."""
MOST_REPAIRS = 25

PRINT = re2.compile(r"^(\s*)(?:print|exec)(?:\s+[^\s(=.].*|\s*>>.*|\s*)$")
TEXT = re2.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
LONG_TEXTS = ('"""', "'''")
EXCEPT = re2.compile(r"^(\s*except\s+[^:,()]+|\s*except\s+\([^()]*\))\s*,\s*([A-Za-z_]\w*)\s*:")
RAISE = re2.compile(r"^(\s*raise\s+[\w.]+)\s*,.*$")

ASYNC = re2.compile(r"\basync(\s*[=,).:])")
"""A name that was an ordinary one before Python 3.7."""
LONG = re2.compile(r"(^|[\s(,=\[{:*/+-])(\d+)[lL]($|[\s),\]}:*/+-])")
"""A long number of Python 2."""
OCTAL = re2.compile(r"(^|[\s(,=\[{:])0([0-7]+)($|[\s),\]}:])")


def parse_python(text: str, path: str) -> tuple[ast.Module | None, str]:
    """Give the tree and what was wrong with the source; no tree when nothing of it can be saved."""
    if is_notebook(path):
        return parse_notebook(text, path)
    if len(text) > LARGEST_SOURCE:
        return None, f"{path} has {how_many(len(text), 'character')}: too large to follow"
    text = text.replace("\0", " ").replace("\f", " ")
    tree, error = try_parse(text)
    if tree is not None or error is None:
        return tree, "" if tree is not None else f"{path} cannot be parsed"
    tree, _ = try_parse(as_before(text))
    if tree is not None:
        return tree, ""
    merged = of_one_side(text)
    lines = modernised(as_before(merged))
    if isinstance(try_parse("\n".join(lines))[1], TabError):
        lines = [untabbed(line) for line in lines]
    for repairs in range(MOST_REPAIRS):
        tree, failure = try_parse("\n".join(lines))
        if tree is not None and merged != text:
            return tree, f"{path} has two sides that were not merged (line {error.lineno}): the first one is read"
        if tree is not None and not repairs:
            return tree, ""  # Python 2, of which nothing is lost
        if tree is not None:
            return tree, f"{path} is not Python 3 throughout (line {error.lineno}): read as far as it goes"
        if failure is None or not blank_line(lines, failure.lineno or 0):
            break
    return None, f"{path} cannot be parsed (line {error.lineno}: {error.msg})"


def parse_notebook(text: str, path: str) -> tuple[ast.Module | None, str]:
    """Parse a notebook's code lines; in the tree they stand where the notebook's text has them."""
    cells = notebook_cells(text)
    lines = [line for cell in cells for line in cell]
    if try_parse("\n".join(code for _, code in lines))[0] is None:
        whole = [cell for cell in cells if parse_python("\n".join(code for _, code in cell), path)[0] is not None]
        lost = len(cells) - len(whole)
        lines = [line for cell in whole for line in cell]
    else:
        lost = 0
    tree, problem = parse_python("\n".join(code for _, code in lines), path + ":code")
    if lost and tree is not None:
        problem = f"{path} has {how_many(lost, 'cell')} that cannot be parsed: read as far as it goes"
    for node in ast.walk(tree) if tree is not None else ():
        for attribute in ("lineno", "end_lineno"):
            number = getattr(node, attribute, None)
            if number is not None and 0 < number <= len(lines):
                setattr(node, attribute, lines[number - 1][0])
    return tree, problem.replace(path + ":code", path)


def try_parse(text: str) -> tuple[ast.Module | None, SyntaxError | None]:
    """Parse without noise; nesting too deep for the parser counts as no tree."""
    try:
        return parse_module(text), None
    except SyntaxError as error:
        return None, error
    except (RecursionError, MemoryError, ValueError, OverflowError):
        return None, None


def modernised(text: str) -> list[str]:
    """Rewrite what Python 2 wrote differently, line by line, so that line numbers stay."""
    lines: list[str] = []
    depth, goes_on = 0, False
    for line in text.split("\n"):
        if depth > 0 or goes_on:  # the rest of what Python 2 prints
            depth, goes_on = depth + opened_in(line), line.rstrip().endswith("\\")
            lines.append("")
            continue
        if PRINT.match(line) and not any(mark in line for mark in LONG_TEXTS):
            depth, goes_on = opened_in(line), line.rstrip().endswith("\\")
        if len(line) < 2000:
            line = str(PRINT.sub(r"\1pass", line))
            line = str(EXCEPT.sub(r"\1 as \2:", line))
            line = str(RAISE.sub(r"\1", line))
            line = str(ASYNC.sub(r"async_\1", line))
            line = str(LONG.sub(r"\1\2\3", line))
            line = str(OCTAL.sub(r"\g<1>0o\2\3", line)) if " 0" in line else line
        lines.append(line)
    return lines


def opened_in(line: str) -> int:
    """Count the brackets that a line opens and leaves open, outside of texts and comments."""
    bare = str(TEXT.sub("", line)).partition("#")[0]
    return sum(bare.count(one) for one in "([{") - sum(bare.count(one) for one in ")]}")


def untabbed(line: str) -> str:
    """Indent by blanks, as Python 2 counted a tab: up to the next eighth column."""
    rest = line.lstrip(" \t")
    return line[: len(line) - len(rest)].expandtabs(8) + rest


def of_one_side(text: str) -> str:
    """Keep the first side of each part that two hands changed and nobody has merged; lines keep their numbers."""
    if "\n<<<<<<< " not in text and not text.startswith("<<<<<<< "):
        return text
    lines, side = [], 0
    for line in text.split("\n"):
        if line.startswith("<<<<<<< "):
            side, line = 1, ""
        elif side and line.startswith("======="):
            side, line = 2, ""
        elif side and line.startswith(">>>>>>> "):
            side, line = 0, ""
        lines.append("" if side == 2 else line)
    return "\n".join(lines)


def blank_line(lines: list[str], number: int) -> bool:
    """Leave a line out that cannot be parsed; what it opens, or the block that it alone stands in, stays one."""
    if not 1 <= number <= len(lines):
        return False
    line = lines[number - 1]
    begun = line[: len(line) - len(line.lstrip())]
    before = next((one.rstrip() for one in reversed(lines[: number - 1]) if one.strip()), "")
    kept = "if True:" if line.rstrip().endswith(":") else "pass" if before.endswith(":") else ""
    lines[number - 1] = "" if not kept or line == begun + kept else begun + kept
    return bool(line.strip())
