"""What the docs say of first runs is what the table of all sets gives."""

from pathlib import Path

from evals import first_runs

ROOT = Path(__file__).parent.parent.parent


def test_docs_have_the_tables_of_all_sets():
    text = (ROOT / "docs" / "measurements.md").read_text("utf-8")
    for table in first_runs.tables():
        assert first_runs.as_markdown(table) in text, "python -m evals first_runs --markdown prints what belongs there"


def test_sets_are_pooled_by_their_counts():
    sets = [
        {"n": "10", "right": "9", "place_n": "8", "place_right": "8", "sure_n": "", "sure_right": ""},
        {"n": "30", "right": "15", "place_n": "", "place_right": "", "sure_n": "4", "sure_right": "3"},
    ]
    row = first_runs.pooled(("diagnose", "job logs"), sets)
    assert row[:4] == ["diagnose", "job logs", 2, 40]
    assert row[4].startswith("24/40 = 0.600 ")
    assert row[5] == "0.50 of 30", "the worst set by its share"
    assert row[7:] == ["1.00 of 8", "0.75 of 4"], "who did not count places or sure answers is left out"


def test_fields_are_weighed_by_jobs():
    sets = [
        {"n": "30", "share": "0.9", "core": "0.8", "invented": "0"},
        {"n": "10", "share": "0.5", "core": "0.4", "invented": "0.04"},
    ]
    assert first_runs.averaged("extract", sets)[2:6] == [40, "0.800", "0.500", "0.800"]
