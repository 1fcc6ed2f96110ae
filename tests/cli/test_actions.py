"""`schedmate actions --verify`: what was changed behind the trail's back is found out, and the exit code says so."""

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.history.live import LiveStore


@pytest.fixture
def trail(tmp_path, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", str(tmp_path / "data"))
    store = LiveStore(tmp_path / "data")
    for place in range(3):
        action = store.add_action(1, 1, place, "isolate", "node1", "a fault", "act")
        store.note_action(action, "planned")
        store.note_action(action, "done", "node1 takes no more jobs", actor="ada")
    yield store
    store.close()


def verify():
    return CliRunner().invoke(make_app(), ["actions", "--verify"])


def test_a_whole_trail_is_told_with_its_head(trail):
    said = verify()
    assert said.exit_code == 0
    assert said.stdout == f"6 entries are as they were written; the last has the digest {trail.verify().head}\n"


@pytest.mark.parametrize(
    ("table", "change", "entry"),
    [
        ("live_action_events", "UPDATE live_action_events SET detail = 'nothing' WHERE id = 4", 4),
        ("live_action_events", "UPDATE live_action_events SET actor = 'bob' WHERE id = 2", 2),
        ("live_action_events", "DELETE FROM live_action_events WHERE id = 3", 4),
        ("live_actions", "UPDATE live_actions SET target = 'node2' WHERE id = 3", 5),
    ],
)
def test_a_changed_trail_is_found_out(trail, table, change, entry):
    for trigger in (f"{table}_stay", f"{table}_remain"):
        trail.connection.execute(f"DROP TRIGGER {trigger}")
    trail.connection.execute("PRAGMA foreign_keys=OFF")
    trail.connection.execute(change)
    said = verify()
    assert said.exit_code == 1
    assert said.stdout.startswith(f"entry {entry} is not as it was written")


def test_a_trail_that_was_cut_off_at_its_end_has_another_head(trail):
    head = trail.verify().head
    trail.connection.execute("DROP TRIGGER live_action_events_remain")
    trail.connection.execute("DELETE FROM live_action_events WHERE id = 6")
    assert verify().exit_code == 1
    trail.connection.execute("UPDATE sqlite_sequence SET seq = 5 WHERE name = 'live_action_events'")
    said = verify()
    assert said.exit_code == 0
    assert head not in said.stdout


def test_one_action_names_who_stands_behind_each_entry(trail):
    said = CliRunner().invoke(make_app(), ["actions", "1"]).stdout.splitlines()
    assert said[1].endswith("planned by schedmate")
    assert said[2].endswith("done by ada: node1 takes no more jobs")
