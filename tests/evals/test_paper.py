"""The page of the paper's tables: what is played for it, remembered, and written."""

import argparse
import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from evals import paper
from evals.paper_tables import estimates_case, scaling_case, sia_case, standalone_case
from evals.paper_tables.page import Section, write_page
from evals.paper_tables.runs import open_runs
from evals.report import Table
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.experience import Experience
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.errors import InputError
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.generating import generate


@pytest.fixture(scope="module")
def experiment():
    trace = generate("helios", jobs=60, days=0.2, seed=1)
    return Experiment(trace=replace(trace, gpus=np.minimum(trace.gpus, 8)), nodes=tuple(parse_nodes("4x8")))


def test_what_was_played_once_is_remembered(tmp_path, experiment):
    said: list[str] = []
    first = open_runs(tmp_path, said.append, range(1)).one("made, fifo", experiment, "fifo", 0)
    again = open_runs(tmp_path, said.append, range(1)).one("made, fifo", experiment, "fifo", 0)
    assert first == again
    assert len(said) == 1, "a run that is done is not played again"
    open_runs(tmp_path, said.append, range(1)).one(
        "made, fifo", replace(experiment, warm_up=None, similar=True), "fifo", 0
    )
    assert len(said) == 2, "another experiment is another run"


def test_the_page_has_tables_reasons_and_charts(tmp_path):
    table = Table("Fig. 1: made", ("what", "s"), [["a | b", 1234], ["c", None]])
    section = Section("fig-1", table, ("because",), lambda axes: axes.bar([0, 1], [1.0, 2.0]))
    page = write_page(tmp_path, [section], [Table("Not to be had", ("what",), [["Mars"]])])
    lines = page.read_text("utf-8").splitlines()
    assert "| a \\| b | 1,234 |" in lines
    assert "| c | - |" in lines
    assert "- because" in lines
    assert "![Fig. 1: made](fig-1.svg)" in lines
    assert (tmp_path / "fig-1.svg").read_text("utf-8").startswith("<?xml")


def test_interruptions_delay_whoever_has_to_be_noticed(monkeypatch):
    monkeypatch.setattr(standalone_case, "generate", lambda like, seed: generate(like, jobs=1500, days=2.0, seed=seed))
    told = standalone_case.Confusion(recall=1.0, false_alarms=0.1)
    worlds = {late: standalone_case.broken("seren-like", 0, late, told, Legibility()) for late in (0, 480)}
    assert worlds[480].interruptions > 5
    assert len(worlds[480].handled.mishaps) > len(worlds[480].experiment.mishaps), "some are restarted in vain"
    average = {late: run(one.experiment, "fifo").summary.avg_jct_s for late, one in worlds.items()}
    handled = run(replace(worlds[480].handled, mishaps=worlds[480].experiment.mishaps), "fifo").summary.avg_jct_s
    assert average[0] < average[480]
    assert handled < average[480]


def test_a_quick_page_plays_few_traces_and_whoever_names_some_gets_these():
    parser = argparse.ArgumentParser()
    paper.add_arguments(parser)
    known = ("venus", "pcs", "seren-like-64")
    assert paper.chosen("lucid", known, parser.parse_args([])) == known
    assert paper.chosen("lucid", known, parser.parse_args(["--quick"])) == ("venus", "seren-like-64")
    assert paper.chosen("lucid", known, parser.parse_args(["--quick", "--traces", "pcs"])) == ("pcs",)


@pytest.mark.parametrize("text", ["", "0", "9", "1;2", "1,,2", "-1"])
def test_workloads_that_there_are_not_are_told_before_anything_is_played(tmp_path, text):
    parser = argparse.ArgumentParser()
    paper.add_arguments(parser)
    said: list[str] = []
    options = parser.parse_args(
        [str(tmp_path), "--only", "lucid,sia", f"--workloads={text}", "--out", str(tmp_path / "page")]
    )
    with pytest.raises(InputError, match="there are no workloads"):
        paper.sections(options, said.append)
    assert said == []


def test_before_a_workload_the_next_was_played_and_the_table_names_which_are_averaged(tmp_path, experiment):
    for earlier in (1, 4):
        rows = [[1, earlier, 8, 0.5, 0.1]]
        seen = {"toy": {"t4": rows}}, {"toy": [0.01, 0.5]}, {"toy": 900.0 * earlier}
        (tmp_path / f"ended-made-{earlier}.json").write_text(json.dumps(seen), "utf-8")
    workloads = sia_case.Workloads(tmp_path, tmp_path)
    for number, earlier in ((3, 4), (sia_case.COUNT, 1)):
        past = workloads.before("made", number, Matching(0.8))
        assert past.steps == {"toy": {"t4": {(1, earlier, 8): (0.5, 0.1)}}}
        assert past.work == {"toy": 900.0 * earlier}
    summary = run(experiment, "fifo").summary
    found = {"philly": {"Sia": [summary, replace(summary, avg_jct_s=summary.avg_jct_s + 7200)]}}
    table = sia_case.table(found, sia_case.numbered("3,8"))
    assert table.title.endswith("(workloads 3, 8)")
    assert table.rows[0][1] == pytest.approx(summary.avg_jct_s / 3600 + 1, abs=1e-3)


def test_some_of_sias_columns_are_played_with_what_they_are_held_against():
    assert sia_case.picked(f"{sia_case.LEFT}; {sia_case.LIKE}") == ("Sia", sia_case.LIKE, sia_case.LEFT)
    assert sia_case.picked(sia_case.TRIED_LIKE) == (sia_case.TRIED, sia_case.TRIED_LIKE)
    assert len(sia_case.picked("")) == 12
    with pytest.raises(InputError, match="there is no column 'hit 2'"):
        sia_case.picked("hit 2")


def test_only_the_columns_that_say_so_tell_what_is_left():
    read = Legibility(share=0.5)
    ways = sia_case.ways(lambda matching: Experience(matching, work={"toy": 9.0}), read)
    told = {column: one.legibility for column, way in ways.items() if (one := way()) is not None and one.legibility}
    assert told == {sia_case.LEFT: read, sia_case.MISLED: replace(read, share=0.0)}


def test_two_panels_stand_beside_each_other(tmp_path):
    seen = []
    drawn = {"draw": lambda axes: seen.append(axes), "beside": lambda axes: seen.append(axes)}
    write_page(tmp_path, [Section("fig-2", Table("Fig. 2", ("a",), [["b"]]), (), **drawn)], [])
    left, right = (axes.get_position().x0 for axes in seen)
    assert left < right


def test_each_number_of_jobs_at_once_has_its_row(tmp_path):
    found = scaling_case.measure(readers=(1,), at_once=(1, 4))
    assert [(one.readers, one.jobs) for one in found] == [(1, 1), (1, 4)]
    assert all(one.delay_s > 0 and one.an_hour > 0 for one in found), "how long is no test's matter: others compute too"
    assert [row[0] for row in scaling_case.table(found).rows] == ["1, 1 at once", "1, 4 at once"]
    section = Section("fig-16", scaling_case.table(found), (), lambda axes: scaling_case.draw(axes, found))
    write_page(tmp_path, [section], [])


def test_estimates_stand_beside_the_papers_and_are_drawn(tmp_path):
    found = estimates_case.measure(limit=30)
    rows = {row[0]: row for row in estimates_case.table(found).rows}
    assert rows["advisor"][2] == 0.857
    assert rows["who knows the law of the set"][1] > rows["advisor"][1], "nobody knows more than the law"
    assert rows["profiler, first 100 s"][4] > 0
    panels = [lambda axes: estimates_case.draw(axes, found), lambda axes: estimates_case.draw_utilisation(axes, found)]
    write_page(tmp_path, [Section("fig-14", estimates_case.table(found), (), *panels)], [])
    assert (tmp_path / "fig-14.svg").stat().st_size > 9000, "both panels have curves"
