"""Makers' tables of codes: what each form of a code is read as, and that the tables hold together."""

import tomllib
from collections import Counter

import pytest

from schedmate.knowledge.catalogue import load_catalogue
from schedmate.knowledge.code_tables import FOLDER, code_entries, entry_of
from schedmate.knowledge.csv_tables import csv_rows
from schedmate.readers.failures.sightings.catalogue_search import ready_entries

TABLES = tomllib.loads((FOLDER / "tables.toml").read_text("utf-8"))
KINDS = tomllib.loads((FOLDER / "kinds.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("line", "entry", "category"),
    [
        ("RuntimeError: NPU function error: x, error code is 507013", "codes.ascend_runtime_507013", "infrastructure"),
        ("[ERROR] RUNTIME rtsq: retCode=507008", "codes.ascend_runtime_507008", "infrastructure"),
        ("EJ0002: [PID: 4711] The network port is down.", "codes.ascend_report_ej0002", "infrastructure"),
        ("[rank3]: E40021: [PID: 12] 2026-03-01 Failed to compile Op", "codes.ascend_report_e40021", "framework"),
        ("nrt_execute status=6", "codes.neuron_6", "infrastructure"),
        ("nrt_load failed with status 10", "codes.neuron_10", "framework"),
        ("RuntimeError: synStatus=17 [Device in reset]", "codes.gaudi_17", "infrastructure"),
        ("CUDA driver call failed (cudaErrorContained)", "codes.cuda_cudaerrorcontained", "infrastructure"),
        ("RuntimeError: HIP error: hipErrorMapFailed", "codes.hip_hiperrormapfailed", "framework"),
        ("DCGM_FR_FALLEN_OFF_BUS on gpu 3", "codes.dcgm_dcgm_fr_fallen_off_bus", "infrastructure"),
        (
            "srun: error: Unable to create step for job 7: Kill task failed",
            "codes.slurm_kill_task_failed",
            "infrastructure",
        ),
    ],
)
def test_a_code_is_read_in_every_form(line, entry, category):
    found = ready_entries().match(line)
    assert found
    assert (found[0].id, found[0].category) == (entry, category)


@pytest.mark.parametrize(
    "line",
    [
        "step 507013 of 900000, loss 2.1",
        "raise cudaErrorContained(",
        "nrt_init done, 6 devices",
        "part number XEJ0002Q",
        "saved 1201 files to /data",
    ],
)
def test_a_number_or_a_name_alone_is_no_code(line):
    found = ready_entries().match(line)
    assert found is None or not found[0].id.startswith("codes.")


def test_tables_and_kinds_fit_each_other():
    assert {path.stem for path in FOLDER.glob("*.csv")} == set(TABLES)
    rows = [(name, row) for name in TABLES for row in csv_rows(FOLDER / f"{name}.csv")]
    assert {row["kind"] for _, row in rows} <= set(KINDS)
    assert all(row["meaning"] and (row["code"] or row["name"]) for _, row in rows)
    assert [
        key for key, count in Counter((name, row["code"] or row["name"]) for name, row in rows).items() if count > 1
    ] == []


def test_every_row_is_in_the_catalogue():
    known = {failure.id for failure in load_catalogue()}
    assert {entry["id"] for entry in code_entries()} <= known


def test_a_row_without_a_code_is_known_by_its_names_alone():
    row = {"code": "", "name": "AcmeErrorLost|ACME_LOST", "kind": "device", "meaning": "it went away"}
    table = {**TABLES["neuron"], "forms": [r"\b{name}\b", r"\bacme {code}\b"], "literals": ["{name}", "{code}"]}
    entry = entry_of("acme", table, row, KINDS["device"])
    assert entry["literal"] == ("AcmeErrorLost", "ACME_LOST")
    assert "acme" not in entry["pattern"].replace("AcmeErrorLost", "")
