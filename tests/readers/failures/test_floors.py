"""The folders of the reader of failures are called in an order, and each imports only from those before it."""

from pathlib import Path

import schedmate.readers.failures as room
from tests.readers.rooms import parts_there, unnamed_files, wrong_imports

FOLDER = Path(room.__file__).parent
ORDER = (
    ("job_logs", "lines", "exit_codes"),
    ("sightings",),
    ("runs",),
    ("reading",),
    ("hosts",),
    ("case",),
    ("survival",),
    ("causes",),
    ("places",),
    ("answer",),
    ("advice",),
)


def test_imports_point_to_what_is_called_before():
    assert wrong_imports(room, FOLDER, ORDER) == []


def test_each_part_stands_in_the_order_and_in_the_words_of_the_room():
    there = parts_there(FOLDER)
    assert there == {part for parts in ORDER for part in parts}
    assert all(f"`{part}`" in (room.__doc__ or "") for part in there)


def test_each_folder_names_all_its_files():
    assert unnamed_files(FOLDER) == []
