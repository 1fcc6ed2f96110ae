"""Every entry matches its samples and nothing that merely looks alike, and no two entries fight over a line."""

import re as std_re
import subprocess
import sys
from collections import Counter
from dataclasses import fields

import pytest
import re2

from schedmate.knowledge.catalogue import DIRECTORY, Failure, entries_in, load_catalogue
from tests.knowledge.skeletons import literal_is_certain

CATALOGUE = load_catalogue()
BY_ID = {failure.id: failure for failure in CATALOGUE}
COMPILED = {failure.id: re2.compile(failure.pattern) for failure in CATALOGUE}
WRITTEN = {entry["id"]: path.stem for path in sorted(DIRECTORY.glob("*.toml")) for entry in entries_in(path)}

COMPONENTS = {
    *("actor", "code", "device", "errno", "exit_code", "gpu", "host", "job", "limit_s", "link", "module", "nic"),
    *("object", "path", "pci", "peer", "pid", "pod", "port", "rank", "signal", "url"),
}
"""The names a pattern may give to what it captures; a reader turns them into faulty components."""

each = pytest.mark.parametrize("failure", CATALOGUE, ids=lambda failure: failure.id)


def matching(line):
    return [BY_ID[name] for name, pattern in COMPILED.items() if near(BY_ID[name], line) and pattern.search(line)]


def near(failure, line):
    return any(literal in line for literal in failure.literals)


@each
def test_samples_match_and_near_misses_do_not(failure):
    pattern = COMPILED[failure.id]
    assert failure.samples, "an entry without a sample cannot be trusted"
    assert failure.near_misses, "an entry without a near miss may match anything"
    for line in failure.samples:
        assert pattern.search(line), f"sample not matched: {line}"
        assert "\n" not in line, "a reader sees one line at a time"
    for line in failure.near_misses:
        assert not pattern.search(line), f"near miss matched: {line}"


@each
def test_literal_stands_in_every_match(failure):
    assert failure.literals
    assert all(len(literal) >= 3 for literal in failure.literals), "a shorter literal sifts nothing"
    assert literal_is_certain(failure.pattern, failure.literals)


@each
def test_class_is_legal(failure):
    assert failure.role in {"root", "cascade", "teardown", "health"}
    assert failure.category in {"infrastructure", "framework", "script", "other", "none"}
    assert (failure.subcategory is not None) == (failure.category == "infrastructure")
    assert failure.subcategory in {None, "gpu", "nvlink", "network", "node", "other"}
    assert failure.restart in {"yes", "elsewhere", "no"}
    assert 0 <= failure.weight <= 1
    if failure.role in {"health", "teardown"}:
        assert failure.category == "none", "it names no cause"
        assert failure.restart == "no"
    else:
        assert failure.category != "none", "a cause has a class"
        assert failure.weight > 0
    if failure.category == "script":
        assert failure.restart == "no", "the same program fails again"


@each
def test_pattern_is_linear_and_names_known_components(failure):
    assert not failure.pattern.startswith(".*")
    assert set(COMPILED[failure.id].groupindex) <= COMPONENTS


@each
def test_words_are_there(failure):
    assert len(failure.meaning.split()) >= 8
    assert failure.meaning.endswith((".", ")"))
    assert len(failure.action.split()) >= 4
    assert failure.source


def test_ids_are_unique_and_say_their_file():
    assert [name for name, count in Counter(failure.id for failure in CATALOGUE).items() if count > 1] == []
    for failure in CATALOGUE:
        assert std_re.fullmatch(r"[a-z]+\.[a-z0-9_]+", failure.id)
        if failure.id in WRITTEN:
            assert failure.id.split(".")[0] == WRITTEN[failure.id]


def test_no_key_is_misspelt():
    known = {field.name for field in fields(Failure)} - {"literals", "samples", "near_misses"}
    for path in DIRECTORY.glob("*.toml"):
        for entry in entries_in(path):
            assert set(entry) <= known | {"literal", "sample", "near_miss"}, entry["id"]


def test_no_sample_is_claimed_by_an_entry_of_another_class():
    """A stronger root of another class would turn the diagnosis; what is meant so is declared in `overlaps`."""
    assert [clash for failure in CATALOGUE for line in failure.samples for clash in clashes(failure, line)] == []


def clashes(failure, line):
    for other in matching(line):
        if other.id in failure.overlaps or other.id == failure.id:
            continue
        same = (other.category, other.subcategory) == (failure.category, failure.subcategory)
        if failure.role == "root" and other.role == "root" and not same and other.weight >= failure.weight:
            yield f"{failure.id} loses to {other.id}: {line}"
        if failure.role in {"root", "cascade"} and other.role in {"health", "teardown"}:
            yield f"{failure.id} is explained away by {other.id}: {line}"
        if failure.role in {"cascade", "teardown", "health"} and other.role == "root":
            yield f"{failure.id} is taken for the root {other.id}: {line}"


def test_overlaps_name_real_entries_and_are_needed():
    for failure in CATALOGUE:
        claimed = {other.id for line in failure.samples for other in matching(line)}
        assert set(failure.overlaps) <= claimed, f"{failure.id}: overlaps that do not happen"


def test_reading_the_catalogue_is_quick():
    """Count in CPU time of one fresh process; the figure is generous, so that only a slip of kind is caught."""
    code = (
        "import time, schedmate.schemas; from schedmate.knowledge.catalogue import load_catalogue;"
        "t = time.process_time(); load_catalogue(); print(time.process_time() - t)"
    )
    spent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(spent) < 1.0


def test_the_catalogue_is_read_once():
    assert load_catalogue() is load_catalogue()
