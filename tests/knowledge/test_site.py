"""A site's own failures and formats are used like the shipped ones; a bad one is named by its place, the rest works."""

import json
import subprocess
import sys

import pytest

from schedmate import diagnose, track
from schedmate.knowledge.site import problem_of, site_files
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.user_dirs import data_directory

GOOD = """
[[failure]]
id = "fabric.warp_lost"
pattern = 'WarpFabric: lane (?P<link>\\d+) of (?P<host>\\S+) collapsed'
literal = "WarpFabric: lane"
role = "root"
category = "infrastructure"
subcategory = "network"
restart = "elsewhere"
weight = 0.95
meaning = "A lane of our own fabric went away."
action = "Reseat the lane."
sample = ["WarpFabric: lane 3 of node-7 collapsed"]
near_miss = ["WarpFabric: lane 3 of node-7 is up"]
"""
BAD = GOOD.replace("fabric.warp_lost", "fabric.other").replace("lane 3 of node-7 collapsed", "lane three")
FORMAT = """
framework = "Our trainer"

[[line]]
contains = "zug"
pattern = 'zug (?P<step>\\d+) von (?P<total_steps>\\d+), (?P<step_time>[\\d.]+) sek'
units = { step_time = "s" }
sample = "zug 4 von 90, 0.5 sek"
expect = { step = 4, total_steps = 90, step_time = 0.5 }
"""


@pytest.fixture
def site(own_home):
    folder = data_directory() / "knowledge"
    folder.mkdir(parents=True)

    def write(name, text):
        (folder / name).write_text(text, "utf-8")
        forget()
        return folder / name

    forget()
    yield write
    forget()


def forget():
    site_files.cache_clear()
    ready_entries.cache_clear()


def test_a_sites_failure_is_found_like_a_shipped_one(site, tmp_path):
    site("fabric.toml", GOOD)
    log = tmp_path / "job.log"
    log.write_text("step 1 loss 2.0\nstep 2 loss 1.9\nWarpFabric: lane 5 of node-9 collapsed\n", "utf-8")
    found = diagnose(log, engine="built-in")
    assert (found.failure_id, found.subcategory, found.root_line) == ("fabric.warp_lost", "network", 3)
    assert "node-9" in found.faulty_components


def test_a_bad_entry_is_named_by_file_and_line_and_the_rest_works(site, tmp_path):
    path = site("fabric.toml", GOOD + BAD)
    log = tmp_path / "job.log"
    log.write_text("step 1 loss 2.0\nWarpFabric: lane 5 of node-9 collapsed\n", "utf-8")
    found = diagnose(log, engine="built-in")
    assert found.failure_id == "fabric.warp_lost"
    place = f"{path}:{GOOD.count(chr(10)) + 2}"
    assert any(note.startswith(f"{place}: the pattern misses its sample") for note in found.notes)


@pytest.mark.parametrize("text", ["not = [toml", "", "[[failure]]\nid = 3\n", "failure = 7\n", "\x00"])
def test_a_file_that_is_no_such_thing_hurts_nobody(site, tmp_path, text):
    site("bad.toml", text)
    site("good.toml", GOOD)
    log = tmp_path / "job.log"
    log.write_text("WarpFabric: lane 5 of node-9 collapsed\n", "utf-8")
    found = diagnose(log, engine="built-in")
    assert found.failure_id == "fabric.warp_lost"
    assert any("bad.toml" in note for note in found.notes)


def test_a_sites_log_format_is_read(site, tmp_path):
    site("trainer.toml", FORMAT)
    log = tmp_path / "job.log"
    log.write_text("".join(f"zug {step} von 90, 0.5 sek\n" for step in range(1, 20)), "utf-8")
    found = track(log, engine="built-in")
    assert (found.framework, found.step, found.total_steps, found.step_time_s) == ("Our trainer", 19, 90, 0.5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"category": "weather"}, "category has to be one of"),
        ({"weight": 7}, "weight has to be"),
        ({"pattern": "(a"}, "none of RE2's"),
        ({"pattern": "x" * 3000}, "more than 2,000"),
        ({"sample": []}, "sample is empty"),
        ({"literal": "nowhere"}, "no literal is in"),
        ({"id": "Fabric"}, "id has to be"),
        ({"colour": "red"}, "fields that there are none of"),
        ({"near_miss": ["WarpFabric: lane 1 of a collapsed"]}, "near miss"),
    ],
)
def test_each_kind_of_mistake_is_told(change, words):
    import tomllib

    entry = tomllib.loads(GOOD)["failure"][0]
    assert problem_of(entry) == ""
    assert words in problem_of({**entry, **change})


def test_an_installed_package_brings_its_own(tmp_path, own_home):
    package = tmp_path / "ours"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "fabric.toml").write_text(GOOD)
    info = tmp_path / "ours-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ours\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[schedmate.knowledge]\nours = ours\n")
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]; from schedmate.knowledge import site; "
        "print(site.site_failures()[0].id)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), *sys.path], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "fabric.warp_lost"


def test_the_command_checks_a_file_and_shows_what_it_matches(site, tmp_path, capsys):
    path = site("fabric.toml", GOOD + BAD)
    log = tmp_path / "job.log"
    log.write_text("fine\nWarpFabric: lane 5 of node-9 collapsed\n", "utf-8")

    def run(*words):
        code = "import sys; sys.path[:0] = eval(sys.argv.pop(1)); from schedmate.cli import main; main()"
        return subprocess.run([sys.executable, "-c", code, repr(sys.path), *words], capture_output=True, text=True)

    bad = run("knowledge", "test", str(path))
    assert bad.returncode == 2
    assert f"{path}:" in bad.stderr
    path.write_text(GOOD)
    good = run("knowledge", "test", str(path), "--log", str(log), "--json")
    rows = [json.loads(line) for line in good.stdout.splitlines()]
    assert [row.get("line") for row in rows] == [None, 2]
    assert "fabric.warp_lost" in run("knowledge", "list").stdout
