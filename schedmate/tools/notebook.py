"""Read a notebook as Python whose lines stand where they do in the notebook, so that a quote can be checked there."""

import json


def notebook_source(raw: str) -> str:
    """Put each code line where it stands in the JSON text; magics become comments, everything else blank lines."""
    out = [""] * (raw.count("\n") + 1)
    for number, code in notebook_lines(raw):
        out[number - 1] = code
    return "\n".join(out)


def notebook_lines(raw: str) -> list[tuple[int, str]]:
    """Give each code line with the line of the JSON text that it stands on; many may share one."""
    found: list[tuple[int, str]] = []
    position, line_number = 0, 0
    for source in code_cells(raw):
        for line in source:
            written = json.dumps(line)[1:-1]
            place = raw.find(written, position)
            if place < 0:
                place = raw.find(json.dumps(line, ensure_ascii=False)[1:-1], position)
            if place < 0:
                continue
            line_number += raw.count("\n", position, place)
            position = place
            code = line.rstrip("\n")
            found.append((line_number + 1, "# " + code if code.lstrip().startswith(("%", "!", "?")) else code))
    return found


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
            found.append([line for line in source if isinstance(line, str)])
    return found
