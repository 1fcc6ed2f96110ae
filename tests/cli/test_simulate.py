"""`schedmate simulate` as a user runs it."""

import csv
import json
from pathlib import Path

import pytest

from schedmate.cli import main, make_app
from schedmate.scheduling.policy_table import POLICIES
from schedmate.scheduling.simulation.options import declared

FIELDS = [
    "policy",
    "trace",
    "jobs",
    "avg_jct_s",
    "median_jct_s",
    "p99_jct_s",
    "avg_queue_s",
    "p999_queue_s",
    "makespan_s",
    "gpu_utilisation",
    "preemptions",
    "evictions",
    "jain_index",
    "finish_time_fairness_p95",
    "profiling_gpu_h",
    "cpu_s",
    "seed",
    "avg_queue_s_by_gpus",
    "avg_queue_s_by_qos",
    "change",
]
ROWS = "job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n" + "".join(
    f"{i},u{i % 3},v{i % 2},n,{i * 10},{100 + 37 * i % 400},{1 + i % 4},COMPLETED,\n" for i in range(40)
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    (tmp_path / "jobs.csv").write_text(ROWS)
    (tmp_path / "vcs.csv").write_text("vc,nodes\nv0,1\nv1,2\n")
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments, code=0):
        monkeypatch.setattr("sys.argv", ["schedmate", "simulate", "--workers", "1", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        assert (caught.value.code or 0) == code
        return capsys.readouterr()

    return invoke


def test_app_has_the_command():
    assert "simulate" in {command.name for command in make_app().registered_commands}


def test_parts_of_gpus_are_shares_of_time_instances_or_whole_gpus(run):
    """Four halves on two GPUs: all at once by time; as instances, of which `4g` fits once a GPU, or whole, in turns."""
    rows = "".join(f"{i},0,100,0.5\n" for i in range(4))
    Path("parts.csv").write_text("job_id,submit_s,duration_s,gpus\n" + rows)
    asked = ["--trace", "parts.csv", "--policy", "fifo", "--nodes", "1x2", "--json"]

    def queue_s(*more):
        printed = run(*asked, *more)
        return json.loads(printed.out)["avg_queue_s_by_gpus"], printed.err

    assert queue_s() == ({"part of 1": 0.0}, "")
    assert queue_s("--fractions", "mig")[0] == {"part of 1": 50.0}
    told, note = queue_s("--fractions", "whole")
    assert told == {"1": 50.0}
    assert "jobs that ask for a part of a GPU, and get a whole one: 4" in note


def test_json_has_the_named_fields(run):
    lines = run("--trace", "jobs.csv", "--policy", "fifo,tiresias", "--nodes", "2x4:a100", "--json").out.splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["policy"] for row in rows] == ["fifo", "tiresias"]
    assert all(list(row) == FIELDS for row in rows)
    for row in rows:
        assert row["jobs"] == 40
        assert 0 < row["gpu_utilisation"] <= 1
        assert 0 < row["jain_index"] <= 1


def test_same_seed_same_figures(run):
    arguments = ("--trace", "jobs.csv", "--nodes", "2x4", "--node-mtbf-h", "0.2", "--repair-h", "0.1", "--json")
    first, second = (run(*arguments).out for _ in range(2))
    drop = [[{**json.loads(line), "cpu_s": 0} for line in text.splitlines()] for text in (first, second)]
    assert drop[0] == drop[1]


def test_processes_agree_with_one(run):
    arguments = ("--trace", "jobs.csv", "--nodes", "2x4", "--policy", "fifo,sjf", "--json")
    alone, many = run(*arguments).out, run(*arguments, "--workers", "2").out
    drop = [[{**json.loads(line), "cpu_s": 0} for line in text.splitlines()] for text in (alone, many)]
    assert drop[0] == drop[1]


def test_jobs_out_holds_each_job(run, tmp_path):
    run("--trace", "jobs.csv", "--vc", "vcs.csv", "--policy", "sjf", "--jobs-out", "out.csv")
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert len(rows) == 40
    for row in rows:
        assert float(row["jct_s"]) == pytest.approx(float(row["queue_s"]) + float(row["duration_s"]))


def test_a_sweep_is_not_done_twice(run, tmp_path):
    arguments = ("--trace", "jobs.csv", "--nodes", "2x4", "--policy", "fifo,sjf", "--sweep", "done.jsonl", "--json")
    first = run(*arguments).out
    ledger = tmp_path / "done.jsonl"
    lines = ledger.read_text()
    assert run(*arguments).out == first
    assert ledger.read_text() == lines
    ledger.write_text(lines[:-40])
    assert [json.loads(line)["policy"] for line in run(*arguments).out.splitlines()] == ["fifo", "sjf"]
    assert len(ledger.read_text().splitlines()) == 3


def test_what_became_of_each_job_is_told_of_runs_that_were_done_before(run, tmp_path):
    arguments = ("--trace", "jobs.csv", "--nodes", "2x4", "--policy", "fifo,sjf", "--sweep", "done.jsonl")
    run(*arguments)
    lines = (tmp_path / "done.jsonl").read_text()
    run(*arguments, "--jobs-out", "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 1 + 2 * 40
    assert (tmp_path / "done.jsonl").read_text() == lines


def test_a_comparison_in_which_stops_are_free_says_so_and_what_changes_that(run):
    arguments = ("--trace", "jobs.csv", "--nodes", "1x8", "--policy", "fifo,srtf")
    told = "no work was lost when srtf stopped jobs; --saving real counts what stops lose"
    assert told in run(*arguments).out
    assert "--saving real" not in run(*arguments, "--saving", "real").out
    assert "--saving real" not in run(*arguments[:-1], "fifo").out


def test_a_stop_costs_work_where_not_everybody_saves(run):
    rows = ROWS.splitlines()[0] + "\n"
    rows += "".join(f"{i},u,v,n,{i * 600},{30_000 if i % 2 else 400},8,COMPLETED,\n" for i in range(20))
    Path("long.csv").write_text(rows)
    arguments = ("--trace", "long.csv", "--nodes", "1x8", "--policy", "srtf", "--repeat", "3", "--json")
    half = "share=0.5,every_min=5,start_s=60"
    figures = {
        word: [json.loads(line) for line in run(*arguments, "--saving", word).out.splitlines()]
        for word in ("published", half, "none")
    }
    assert all(one["preemptions"] for runs in figures.values() for one in runs)
    published, some, none = ([one["avg_jct_s"] for one in figures[word]] for word in figures)
    assert max(published) < min(some)
    assert max(some) < min(none)
    assert len(set(published)) == 1 < len(set(some)), "another seed draws who saves"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--trace", "gone.csv"), "no trace file gone.csv"),
        (("--trace", "jobs.csv", "--policy", "best"), "no policy 'best'"),
        (("--trace", "jobs.csv", "--nodes", "2x"), "'2x' are not of the form"),
        (
            ("--trace", "jobs.csv", "--nodes", "1x2", "--on-bad", "stop"),
            "line 4: job 2 asks for 3 GPUs; the cluster has 2 of kind gpu",
        ),
        (("--trace", "jobs.csv", "--nodes", "1x8", "--vc", "vcs.csv"), "both describe the cluster"),
        (("--trace", "jobs.csv", "--nodes", "1x8", "--speed", "b=2"), "speed names b"),
        (("--trace", "jobs.csv", "--on-bad", "weep"), "Invalid value for '--on-bad'"),
        (("--trace", "jobs.csv", "--repeat", "0"), "Invalid value for '--repeat'"),
        (("--trace", "jobs.csv", "--repeat", "1000000000"), "--repeat 1000000000 cannot be run"),
        (("--trace", "jobs.csv", "--profiler", "some"), "Invalid value for '--profiler'"),
        (("--trace", "jobs.csv", "--ties", "x"), "Invalid value for '--ties'"),
        (("--trace", "jobs.csv", "--workers", "-1"), "Invalid value for '--workers'"),
        (("--trace", "jobs.csv", "--evict-below", "2"), "Invalid value for '--evict-below'"),
        (("--trace", "jobs.csv", "--node-mtbf-h", "nan"), "--node-mtbf-h"),
        (("--trace", "jobs.csv", "--node-mtbf-h", "0.01"), "nodes break before jobs end"),
        (("--trace", "jobs.csv", "--gpu-mtbf-h", "0.5"), "with --gpu-mtbf-h below 1"),
        (("--trace", "jobs.csv", "--gpu-mtbf-h", "20", "--gpu-notice-h", "12"), "a job of 4 GPUs never ends"),
        (("--trace", "jobs.csv", "--seed", "-1"), "Invalid value for '--seed'"),
        (("--trace", "jobs.csv", "--repair-h", "inf"), "--repair-h inf is endless"),
        (("--trace", "jobs.csv", "--jobs-out", "gone/out.csv"), "gone/out.csv cannot be written: its folder does not"),
        (("--trace", "jobs.csv", "--plot", "gone/out.html"), "gone/out.html cannot be written: its folder does not"),
        (("--trace", "jobs.csv", "--sweep", "."), ". cannot be written: it is a folder"),
        (("--trace", "jobs.csv", "--packing-model", "tree"), "has nothing to learn from"),
        (("--trace", "jobs.csv", "--estimator", "magic"), "there is no estimator 'magic'"),
        (("--trace", "jobs.csv", "--forecast", "gone.csv"), "gone.csv"),
        (("--trace", "jobs.csv", "--predictions", "jobs.csv:nothing"), "jobs.csv: it predicts nothing"),
        (("--trace", "jobs.csv", "--predictions", "/dev/null"), "/dev/null: the file is empty"),
        (("--trace", "jobs.csv", "--limits", "/dev/null"), "/dev/null: the file is empty"),
        (("--trace", "jobs.csv", "--spares", "-1"), "Invalid value for '--spares'"),
        (
            ("--trace", "jobs.csv", "--lenders", "nobody", "--policy", "lucid", "--nodes", "9x4"),
            "no virtual cluster nobody",
        ),
    ],
)
def test_bad_input_gets_one_line(run, arguments, told):
    shown = run(*arguments, code=2).err
    assert told in " ".join(shown.split())
    assert "Traceback" not in shown


def test_jobs_that_fit_nowhere_can_be_skipped(run):
    shown = run("--trace", "jobs.csv", "--nodes", "1x2", "--on-bad", "skip", "--policy", "fifo", "--json")
    assert json.loads(shown.out)["jobs"] == 20
    assert "left out 20 bad rows" in " ".join(shown.err.split())


def test_a_virtual_cluster_that_is_not_described(run, tmp_path):
    (tmp_path / "vcs.csv").write_text("v0,1\n")
    shown = run("--trace", "jobs.csv", "--vc", "vcs.csv", "--on-bad", "stop", code=2).err
    assert "line 3: job 1 belongs to virtual cluster 'v1'" in " ".join(shown.split())


def test_plots_are_pictures_or_one_page(run, tmp_path):
    pytest.importorskip("matplotlib")
    arguments = ("--trace", "jobs.csv", "--nodes", "2x4", "--policy", "fifo,tiresias,lucid,horus")
    run(*arguments, "--plot", "all.png")
    assert (tmp_path / "all.png").read_bytes()[:4] == b"\x89PNG"
    run(*arguments, "--plot", "all.html")
    page = (tmp_path / "all.html").read_text()
    assert page.count("data:image/png;base64,") == 4 + 4
    assert all(f"<td class=''>{name}</td>" in page for name in ("fifo", "tiresias", "lucid", "horus"))
    assert "http" not in page.replace("http-equiv", "")
    assert "no picture or page" in run(*arguments, "--plot", "all.txt", code=2).err


def test_sia_without_training_profiles(run):
    shown = run("--trace", "jobs.csv", "--nodes", "2x4", "--policy", "sia", code=2).err
    assert "policy sia needs measured training runs" in " ".join(shown.split())


def test_without_a_trace_a_month_is_made(run):
    rows = [json.loads(line) for line in run("--policy", "fifo,lucid,horus", "--seed", "3", "--json").out.splitlines()]
    assert [row["jobs"] for row in rows] == [20_000] * 3
    assert rows[1]["profiling_gpu_h"] > 0
    assert rows[1]["avg_jct_s"] < rows[0]["avg_jct_s"]


def test_the_help_names_every_policy():
    named = (
        next(one.told.words for one in declared() if one.name == "policies")
        .removeprefix("With commas between: ")
        .rstrip(".")
        .split(", ")
    )
    assert set(named) == set(POLICIES)


def test_who_names_no_cluster_is_told_which_one_was_made(run):
    told = "the cluster was made for the trace"
    assert told in " ".join(run("--trace", "jobs.csv", "--policy", "fifo").err.split())
    assert told not in " ".join(run("--trace", "jobs.csv", "--policy", "fifo", "--nodes", "4x8").err.split())
