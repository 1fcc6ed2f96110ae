"""The table of who beats whom, shown by field in one page: a change of order shows there what it does.

`python -m tests.readers.code.evidence.test_precedence` writes the page anew.
"""

from pathlib import Path

from schedmate.readers.code.evidence.precedence import PRECEDENCE, Certainty, proposers
from schedmate.readers.code.evidence.subjects import Subject

PAGE = Path("docs/extract-precedence.md")
ABOUT = """# Who beats whom

For each field of `extract`, who may propose a value: the upper row wins over the lower, in a row the left over the
right, whoever is asked first. Before the names stands the subject of which they speak.
[`evidence/precedence.py`](../schedmate/readers/code/evidence/precedence.py) holds the table, `frameworks` and `fields`
how each finds its value; `--explain FIELD` says who did in one job. A test keeps this page.
"""


def page():
    """Write the table by field."""
    names = dict.fromkeys(name for subject in Subject for name in subject.fills)
    return "\n".join([ABOUT, *(section(name) for name in names)])


def section(name):
    """Write all who may fill one field, who wins first."""
    rows = []
    for certainty in Certainty:
        spoken = [
            f"*{subject.words}*: {', '.join(PRECEDENCE[subject][certainty])}"
            for subject in Subject
            if name in subject.fills and certainty in PRECEDENCE[subject]
        ]
        rows += [f"| {certainty.name.lower()} | {'; '.join(spoken)} |"] if spoken else []
    return "\n".join([f"## {name}", "", "| rests on | who |", "|---|---|", *rows, ""])


def test_the_page_shows_the_table():
    assert PAGE.read_text("utf-8") == page(), "python -m tests.readers.code.evidence.test_precedence"


def test_who_is_more_certain_stands_higher():
    ranked = sorted(proposers().values(), key=lambda one: one.rank)
    assert [one.certainty for one in ranked] == sorted((one.certainty for one in ranked), reverse=True)
    assert len({one.rank for one in ranked}) == len(ranked)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
