"""`schedmate trace` as a user runs it."""

import json

import pytest

from schedmate.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments, code=0):
        monkeypatch.setattr("sys.argv", ["schedmate", "trace", *arguments])
        with pytest.raises(SystemExit) as caught:
            main()
        assert (caught.value.code or 0) == code
        return capsys.readouterr()

    return invoke


def test_generate_describe_sample_scale(run):
    run("generate", "--like", "kalos", "-n", "500", "-o", "k.csv")
    told = json.loads(run("describe", "k.csv", "--json").out)
    assert told["jobs"] == 500
    assert sum(told["hour_share"]) == pytest.approx(1, abs=0.01)
    assert "gpus share" in run("describe", "k.csv").out
    assert run("sample", "k.csv", "-n", "20").out.count("\n") == 21
    run("scale", "k.csv", "--rate", "2", "-o", "fast.csv.gz")
    faster = json.loads(run("describe", "fast.csv.gz", "--json").out)
    assert faster["span_days"] == pytest.approx(told["span_days"] / 2, rel=0.01)


@pytest.mark.parametrize(
    "arguments",
    [
        ("describe", "gone.csv"),
        ("generate", "--like", "mars"),
        ("generate", "-n", "5", "-o", "no/such/folder.csv"),
        ("sample", "gone.csv", "--days", "x"),
    ],
)
def test_bad_input_gets_one_line(run, arguments):
    shown = run(*arguments, code=2).err
    assert shown.startswith("error: ")
    assert "Traceback" not in shown
