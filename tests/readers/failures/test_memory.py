"""What a person says of an unknown failure is taken over for the next one of its kind."""

import pytest

import schedmate
from schedmate.errors import InputError
from schedmate.readers.failures.memory import keep
from schedmate.settings import get_settings

ODD = "zorblax: FATAL: flux manifold {} desynchronised beyond recovery, giving up\n"


def write(path, number):
    path.write_text("".join(f"step {i} loss {1 / (i + 1):.3f}\n" for i in range(40)) + ODD.format(number))
    return path


def test_the_next_of_its_kind_is_classed_alike(tmp_path):
    first = schedmate.diagnose(write(tmp_path / "first.log", 17))
    assert first.root_line == 41
    keep(first, "infrastructure.network", get_settings().data_dir)
    second = schedmate.diagnose(write(tmp_path / "second.log", 23))
    assert (second.category, second.subcategory) == ("infrastructure", "network")
    assert "first.log" in second.explanation


@pytest.mark.parametrize("name", ["nonsense", "script.gpu", "infrastructure", "infrastructure.weather", ""])
def test_only_real_classes_are_kept(tmp_path, name):
    with pytest.raises(InputError):
        keep(schedmate.diagnose(write(tmp_path / "a.log", 1)), name, get_settings().data_dir)
