"""The eval of training metrics: invented logs are the same bytes for the same seed, and are read well."""

import random
from argparse import Namespace

from evals import metrics
from evals.progress.invented import invent
from evals.progress.noise import make_pool, mix
from schedmate.settings import get_settings
from tests.scripted_server import ScriptedServer, says


def options(**changes):
    return Namespace(
        **{"folder": None, "count": 60, "seed": 7, "noise": 300, "misses": True, "engine": "built-in", **changes}
    )


def test_the_same_seed_gives_the_same_logs():
    assert [one.text for one in invent(3, 20)] == [one.text for one in invent(3, 20)]
    assert [one.text for one in invent(3, 20)] != [one.text for one in invent(4, 20)]


def test_noise_leaves_lines_and_their_order():
    text = "\n".join(f"step {step}" for step in range(30)) + "\n"
    mixed = mix(text, make_pool(1), random.Random(1), 500).splitlines()
    assert [line for line in mixed if line.startswith("step ")] == text.splitlines()
    assert len(mixed) == 530


def test_invented_formats_are_read():
    report = metrics.run(options())
    rates = {row[0]: row[2] for row in report.tables[0].rows}
    assert rates["clean, no known format"] >= 95
    assert rates["noise, no known format"] >= 85


def test_a_labelled_folder(tmp_path):
    (tmp_path / "one.log").write_text("".join(f"step {n} loss 1.5 0.25 s/it\n" for n in range(9)), "utf-8")
    (tmp_path / "labels.csv").write_text(
        "name,framework,step_time_s,step_time_tol,throughput,loss,step,total_steps,epoch\n"
        "one,mine,0.25,0.2,,1.5,8,,\nabsent,mine,1,0.2,,,,,\n",
        "utf-8",
    )
    found = metrics.run(options(folder=tmp_path))
    assert found.tables[0].rows[3][:3] == ["clean", 1, 100.0]
    assert found.as_json()


def test_the_papers_way_is_measured_with_the_model_that_is_set(tmp_path, monkeypatch):
    (tmp_path / "one.log").write_text("".join(f"train step {n} loss 1.5 0.25 s/it\n" for n in range(9)), "utf-8")
    (tmp_path / "labels.csv").write_text(
        "name,framework,step_time_s,step_time_tol,throughput,loss,step,total_steps,epoch\none,mine,0.25,0.2,,1.5,8,,\n",
        "utf-8",
    )
    numbers = dict.fromkeys(("throughput", "loss", "step", "total_steps", "epoch"))
    with ScriptedServer(lambda _: says(numbers | {"step_time_s": 0.25, "throughput_unit": ""})) as server:
        monkeypatch.setenv("SCHEDMATE_LLM_URL", server.url)
        monkeypatch.setenv("SCHEDMATE_LLM_CACHE", "false")
        get_settings.cache_clear()
        found = metrics.run(options(folder=tmp_path, engine="paper"))
    get_settings.cache_clear()
    assert [row[:3] for row in found.tables[0].rows[3:]] == [
        ["--engine paper, clean", 1, 100.0],
        ["--engine paper, in 300 lines of noise", 1, 100.0],
        ["--engine built-in, clean", 1, 100.0],
        ["--engine built-in, in 300 lines of noise", 1, 100.0],
    ]
