"""Folders, endings and usual words where data are named."""

import pytest

from schedmate.readers.code.fields.data.data_sources import telling_part
from tests.readers.code.programs import NAMED_ROWS


@pytest.mark.parametrize(
    ("told", "data"),
    [("train_data/", None), ("data/heron_nests/", "heron_nests"), ("corpus", None), ("heron-nests", "heron-nests")],
)
def test_a_folder_counts_by_the_part_of_it_that_tells(read, told, data):
    code = NAMED_ROWS.format(option="dataset", cls="Rows", rows="open('x').readlines()")
    found = read({"go.py": code}, f"python go.py --dataset {told}").dataset_name
    assert found == data


def test_an_ending_alone_is_no_name():
    assert telling_part(".zarr") == ""
    assert telling_part("store/heron_nests.zarr") == "heron_nests"
