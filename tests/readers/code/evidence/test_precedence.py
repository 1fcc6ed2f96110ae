"""The table of who beats whom, shown by field in one page: a change of order shows there what it does.

`python -m tests.readers.code.evidence.test_precedence` writes the page anew.
"""

from pathlib import Path

from schedmate.readers.code.evidence.precedence import CORRECTS, PRECEDENCE, SILENT_ONCE, Certainty, proposers
from schedmate.readers.code.evidence.subjects import Subject

PAGE = Path("docs/extract-precedence.md")
ABOUT = """# Who beats whom

For each field of `extract`, who may propose a value: the upper row wins over the lower, in a row the left over the
right, whoever is asked first. Before the names stands the subject of which they speak.
[`evidence/precedence.py`](../schedmate/readers/code/evidence/precedence.py) holds the table, `frameworks` and `fields`
how each finds its value; `--explain FIELD` says who did in one job. Two tables at the end say what an order cannot: who
is silent once a field is known, and who may correct what was kept. A test keeps this page.
"""
SILENT = """## Who is silent once a field is known

Each of these reads more files, concludes from what nobody said, or would give a field that goes ill with one that is
known: he is not asked once one of the fields has a value, or is known to have none, whoever said so.
"""
CORRECTING = """## Who corrects what was kept

Each of these puts a value in the place of the one that was kept, whoever said that: his is made from it, as one
process' share of a batch, or says the same more precisely. Epochs are taken back where steps end the job before.
"""


def page():
    """Write the table by field."""
    names = dict.fromkeys(name for subject in Subject for name in subject.fills)
    return "\n".join([ABOUT, *map(section, names), declared(SILENT, SILENT_ONCE), declared(CORRECTING, CORRECTS)])


def declared(about, table):
    """Write a table of those of whom more is said than their place."""
    rows = [
        f"| *{subject.words}*: {name} | {', '.join(fields)} |"
        for subject, some in table.items()
        for name, fields in some.items()
    ]
    return "\n".join([about, "| who | fields |", "|---|---|", *rows, ""])


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


def test_who_is_silent_or_corrects_has_a_place_and_speaks_of_known_fields():
    fields = {name for subject in Subject for name in subject.fills}
    for table in (SILENT_ONCE, CORRECTS):
        assert {(subject, name) for subject, some in table.items() for name in some} <= proposers().keys()
        assert {name for some in table.values() for names in some.values() for name in names} <= fields


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
