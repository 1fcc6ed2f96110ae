"""The dispatcher lists every eval without importing it, and a report reads the same for people and programs."""

import json
import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module

import pytest

from evals.__main__ import list_evals, main
from evals.report import Report, Table, print_report, save_plot

REPORT = Report(
    tables=[Table("marks", ["who", "success", "rmsre"], [["paper", 0.843, 0.42], ["ours", 0.97, None]])],
    notes=["made up for this test"],
    data={"logs": 3},
)


def test_list_names_evals_and_nothing_else():
    listed = subprocess.run([sys.executable, "-m", "evals"], capture_output=True, text=True, check=True).stdout
    for name, about in list_evals().items():
        assert name in listed
        assert about in listed
    assert "report " not in listed


@pytest.mark.parametrize("name", sorted(list_evals()))
def test_each_eval_says_what_it_is_and_can_be_run(name):
    module = import_module(f"evals.{name}")
    assert module.__doc__
    assert callable(module.run)
    if hasattr(module, "add_arguments"):
        module.add_arguments(ArgumentParser())


def test_unknown_name_is_refused_with_the_names(capsys):
    assert main(["nonsense"]) == 2
    assert "there is no eval 'nonsense'" in capsys.readouterr().err


def test_json_holds_tables_by_title():
    read = json.loads(REPORT.as_json())
    assert read["tables"]["marks"][1] == {"who": "ours", "success": 0.97, "rmsre": None}
    assert read["logs"] == 3


def test_print_shows_a_dash_for_what_was_not_measured(capsys):
    print_report(REPORT)
    printed = capsys.readouterr().out
    assert "0.843" in printed
    assert printed.splitlines()[3].split() == ["ours", "0.97", "-"]
    assert "made up for this test" in printed


def test_plot_is_drawn_where_an_eval_can(tmp_path):
    assert not save_plot(REPORT, tmp_path / "none.png")

    def draw(figure):
        figure.add_subplot().plot([1, 2])

    assert save_plot(Report(tables=[], draw=draw), tmp_path / "some.png")
    assert (tmp_path / "some.png").stat().st_size > 1000
