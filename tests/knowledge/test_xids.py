"""The Xid and SXid tables: every way a code is printed, and the classes that decide what happens to a node."""

import pytest
import re2

from schedmate.knowledge.catalogue import load_catalogue
from schedmate.knowledge.csv_tables import csv_rows
from schedmate.knowledge.xids import HERE, REMEDY, xid_pattern

BY_ID = {failure.id: failure for failure in load_catalogue()}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("NVRM: Xid (PCI:0000:3b:00): 79, pid=2120, name=python, GPU has fallen off the bus.", {"pci": "0000:3b:00"}),
        ("NVRM: Xid (PCI:...): 79, GPU has fallen off the bus.", {"pci": None}),
        ("NVRM: Xid (0000:03:00): 79, GPU has fallen off the bus.", {"pci": "0000:03:00"}),
        ("NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, off the bus", {"pci": "0000:3b:00"}),
        (
            "XidCriticalError: Xid=79 on Device=GPU-9b3f6c2e-5f55; marking device as unhealthy.",
            {"device": "GPU-9b3f6c2e-5f55"},
        ),
        ("Detected XID 79 for GPU 3", {"gpu": "3"}),
        ('DCGM_FI_DEV_XID_ERRORS{gpu="3",UUID="GPU-9b3f"} 79', {}),
        ("detected XID error: 79", {}),
        ("xid 79 on GPU 3", {"gpu": "3"}),
        ("xid 79 seen on 2025-03-01", {"gpu": None}),
    ],
)
def test_an_xid_is_read_in_every_form(line, named):
    found = re2.search(xid_pattern("79"), line)
    assert found
    assert {key: found.groupdict()[key] for key in named} == named


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: Xid (PCI:0000:3b:00): 790, something",
        "NVRM: Xid (PCI:0000:79:00): 13, Graphics Exception",
        "nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 79, Fatal, Link 3",
        "Xid errors: none in 79 days",
    ],
)
def test_another_number_is_not_the_code(line):
    assert not re2.search(xid_pattern("79"), line)


def test_program_faults_and_what_merely_follows_take_no_node_out_of_service():
    """A wrong class here drains healthy nodes, or sends a broken GPU its next job."""
    assert {code for code in range(200) if category_of(code) == ("root", "script")} == {13, 31}
    assert {43, 45, 154, 174} <= {code for code in range(200) if role_of(code) == "cascade"}
    for code in (48, 62, 64, 79, 94, 95, 119, 120, 140, 143, 158, 167, 171, 172):
        assert (BY_ID[f"gpu.xid_{code}"].subcategory, role_of(code)) == ("gpu", "root")
    for code in (74, 136, *range(144, 151), 155):
        assert (BY_ID[f"gpu.xid_{code}"].subcategory, role_of(code)) == ("nvlink", "root")


def role_of(code):
    return BY_ID[f"gpu.xid_{code}"].role if f"gpu.xid_{code}" in BY_ID else None


def category_of(code):
    return (role_of(code), BY_ID[f"gpu.xid_{code}"].category) if role_of(code) else None


def test_only_what_the_switch_calls_fatal_is_a_cause():
    roles = {"fatal": "root", "non-fatal": "cascade", "info": "health"}
    for row in csv_rows(HERE / "sxid.csv"):
        assert BY_ID[f"nvlink.sxid_{row['code']}"].role == roles[row["severity"]]


def test_every_remedy_of_the_table_is_known():
    assert {row["remedy"] for row in csv_rows(HERE / "xid.csv")} <= set(REMEDY)
