"""Every entry matches its samples and nothing that merely looks alike, and no two entries fight over a line."""

import re as std_re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
import re2

from schedmate.knowledge.catalogue import DIRECTORY, Failure, Role, entries_in, load_catalogue
from schedmate.readers.failures.sightings.catalogue_search import MACHINES
from schedmate.schemas import Category, Restart, Subcategory
from tests.knowledge.skeletons import literal_is_certain

CATALOGUE = load_catalogue()
BY_ID = {failure.id: failure for failure in CATALOGUE}
COMPILED = {failure.id: re2.compile(failure.pattern) for failure in CATALOGUE}
WRITTEN = {entry["id"]: path.stem for path in sorted(DIRECTORY.glob("*.toml")) for entry in entries_in(path)}

HEALTHY = (Path(__file__).parent / "healthy_lines.txt").read_text("utf-8").splitlines()
"""What healthy training prints, in the styles of many frameworks; written here, copied from nobody's log."""

HARDWARE = {"device", "gpu", "host", "link", "nic", "pci", "port", "switch"}
"""What can be taken out of service; named only where the line blames hardware."""

COMPONENTS = HARDWARE | {
    *("actor", "code", "errno", "exit_code", "job", "limit_s", "object", "path", "peer", "pid", "pod", "rank"),
    *("service", "signal", "url", "used", "limit"),
}
"""The names a pattern may give to what it captures; a reader turns them into faulty components."""


BEHIND_A_MARK = {failure.id for failure in CATALOGUE if failure.id.startswith(MACHINES)}
"""Entries that are asked only about a kernel's or a daemon's own line that tells of trouble."""
ANYWHERE = {failure.id for failure in CATALOGUE if failure.wording or failure.daemon} - BEHIND_A_MARK
"""Entries that are asked about every line, whatever literals it has."""
BY_LITERAL = defaultdict(set)
for failure in CATALOGUE:
    for literal in failure.literals:
        BY_LITERAL[literal].add(failure.id)


@cache
def matching(line):
    near = ANYWHERE.union(*(names for literal, names in BY_LITERAL.items() if literal in line))
    return [BY_ID[name] for name in COMPILED if name in near and COMPILED[name].search(line)]


def test_samples_match_and_near_misses_do_not():
    wrong = []
    for failure in CATALOGUE:
        pattern = COMPILED[failure.id]
        wrong += [f"{failure.id} misses its sample: {line}" for line in failure.samples if not pattern.search(line)]
        wrong += [f"{failure.id} matches a near miss: {line}" for line in failure.near_misses if pattern.search(line)]
    assert wrong == []


def test_every_entry_has_one_line_samples_and_near_misses():
    wanting = [failure.id for failure in CATALOGUE if not failure.samples or not failure.near_misses]
    broken = [failure.id for failure in CATALOGUE for line in failure.samples if "\n" in line or line != line.strip()]
    assert wanting == broken == []


def test_literal_stands_in_every_match():
    """A shorter literal sifts nothing; one that a match can lack would hide the failure."""
    sifted = [failure for failure in CATALOGUE if not failure.wording and not failure.daemon]
    wrong = [failure.id for failure in sifted if not literal_is_certain(failure.pattern, failure.literals)]
    short = [failure.id for failure in sifted if not failure.literals or min(map(len, failure.literals)) < 3]
    assert wrong == short == []


def test_wording_is_general_and_sifts_nothing():
    """It is tried on every line that is worth a look, so literals would only pretend to spare something."""
    worded = [failure for failure in CATALOGUE if failure.wording]
    assert worded
    assert all(failure.general and not failure.literals for failure in worded)


@pytest.mark.parametrize(
    ("pattern", "literals", "certain"),
    [
        ("GPU is lost", ["is lost"], True),
        ("GPU (?:is lost|fell off)", ["is lost"], False),
        ("GPU (?:is lost|fell off)", ["is lost", "fell off"], True),
        ("GPU(?: [0-9]+)? is lost", ["GPU is lost"], False),
        ("(?i:gpu) is lost", ["gpu"], False),
        ("(?:lost)*", ["lost"], False),
        ("(?:lost)+", ["lost"], True),
        ("[Ll]ost", ["Lost", "lost"], True),
        ("lo?st", ["lst"], False),
    ],
)
def test_the_proof_of_literals_itself(pattern, literals, certain):
    assert literal_is_certain(pattern, literals) is certain


def test_classes_are_legal():
    assert [f"{failure.id}: {fault}" for failure in CATALOGUE for fault in faults_of_class(failure)] == []


def faults_of_class(failure):
    if failure.role not in get_args(Role) or failure.restart not in get_args(Restart):
        yield "unknown role or restart"
    if failure.category not in get_args(Category) or failure.subcategory not in {None, *get_args(Subcategory)}:
        yield "unknown category or subcategory"
    if (failure.subcategory is not None) != (failure.category == "infrastructure"):
        yield "infrastructure, and only infrastructure, has a subcategory"
    if not 0 <= failure.weight <= 1:
        yield "weight outside 0..1"
    if failure.role in {"health", "teardown"} and (failure.category, failure.restart) != ("none", "no"):
        yield "it names no cause, so it has no class"
    if failure.role in {"root", "cascade"} and (failure.category == "none" or not failure.weight):
        yield "a cause has a class and a weight"
    if failure.category == "script" and failure.restart != "no":
        yield "the same program fails again"


def test_patterns_name_known_components_only():
    wrong = [failure.id for failure in CATALOGUE if not set(COMPILED[failure.id].groupindex) <= COMPONENTS]
    slow = [failure.id for failure in CATALOGUE if failure.pattern.startswith(".*")]
    assert wrong == slow == []


def test_hardware_is_named_only_where_it_is_blamed():
    """A reader proposes to isolate what these groups name; a web server or a job's master is not to be isolated."""
    wrong = [
        (failure.id, set(COMPILED[failure.id].groupindex) & HARDWARE)
        for failure in CATALOGUE
        if failure.category not in {"infrastructure", "none"} and not failure.id.startswith("gpu.")
    ]
    assert [item for item in wrong if item[1]] == []


def test_words_are_there():
    for failure in CATALOGUE:
        assert len(failure.meaning.split()) >= 8, failure.id
        assert failure.meaning.endswith((".", ")")), failure.id
        assert len(failure.action.split()) >= 4, failure.id
        assert failure.source, failure.id


def test_ids_are_unique_and_say_their_file():
    assert [name for name, count in Counter(failure.id for failure in CATALOGUE).items() if count > 1] == []
    for failure in CATALOGUE:
        assert std_re.fullmatch(r"[a-z]+\.[a-z0-9_]+", failure.id)
        if failure.id in WRITTEN:
            assert failure.id.split(".")[0] == WRITTEN[failure.id]


def test_no_key_is_misspelt():
    known = {*Failure._fields} - {"literals", "samples", "near_misses"}
    for path in DIRECTORY.glob("*.toml"):
        for entry in entries_in(path):
            assert set(entry) <= known | {"literal", "sample", "near_miss"}, entry["id"]


def test_no_sample_is_claimed_by_an_entry_of_another_class():
    """A stronger root of another class would turn the diagnosis; `general` entries give way, `overlaps` are meant."""
    assert [clash for failure in CATALOGUE for line in failure.samples for clash in clashes(failure, line)] == []


def clashes(failure, line):
    for other in matching(line):
        if other.id == failure.id or other.id in failure.overlaps or other.general != failure.general:
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
    assert float(spent) < 10


def test_the_catalogue_is_read_once():
    assert load_catalogue() is load_catalogue()


def test_healthy_training_is_left_alone():
    hits = [
        f"{failure.id}: {line}" for line in HEALTHY for failure in matching(line.strip()) if failure.role != "health"
    ]
    assert hits == []


CODE = (
    "raise {}(",
    "raise {}",
    "except {}:",
    "except {} as error:",
    "except ({}, OSError):",
    "class {}(RuntimeError):",
)


def test_source_code_in_a_traceback_is_left_alone():
    """Tracebacks quote the program; a line that merely names an exception's class states no cause."""
    names = {name for failure in CATALOGUE for line in failure.samples for name in std_re.findall(r"\w+Error\b", line)}
    lines = [form.format(name) for form in CODE for name in sorted(names)]
    assert len(names) > 50
    hits = [(entry.id, line) for line in lines for entry in matching(line) if entry.role in {"root", "cascade"}]
    assert hits == []
