"""The search for garbage is put off while something is loaded, never given up."""

import gc
import subprocess
import sys

import pytest

from schedmate.tools.garbage import loading


def test_what_is_loaded_is_looked_through_neither_now_nor_later() -> None:
    before = gc.get_freeze_count()
    with loading():
        assert not gc.isenabled()
        table = [[number] for number in range(1000)]
    try:
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(table)
    finally:
        gc.unfreeze()


def test_the_search_goes_on_when_loading_has_failed() -> None:
    with pytest.raises(KeyError), loading():
        raise KeyError
    assert gc.isenabled()
    gc.unfreeze()


def test_nothing_is_looked_through_when_a_process_ends() -> None:
    program = """
import gc
from schedmate.tools.garbage import leave_all_at_exit
class Told:
    def __del__(self):
        print("looked at")
told = Told()
told.itself = told
leave_all_at_exit()
del told
print("over")
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "over\n"
