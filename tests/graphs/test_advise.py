"""Advise on histories made here: a resubmission, a similar job, and nothing similar; plain and compiled alike."""

import json
import time
from contextlib import closing

import pytest
from typer.testing import CliRunner

from schedmate import advise
from schedmate.cli import make_app
from schedmate.errors import InputError
from schedmate.graphs.advise import HistoryContext
from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.scheduling.estimators.advising import build_advise_graph, run_advise
from schedmate.schemas import Diagnosis, Estimate, Hardware, Job, Metrics, PastJob
from schedmate.settings import get_settings

COMMAND = "python train.py --epochs 10 --batch-size 16 --seed 1"
SOURCE = """
import argparse, torch, torchvision
from torch.utils.data import DataLoader
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=10)
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
model = torchvision.models.resnet50().cuda()
data = torchvision.datasets.CIFAR10("data", train=True)
loader = DataLoader(data, batch_size=args.batch_size)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(args.epochs):
    for images, labels in loader:
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
"""
DAY_S = 86_400.0
OUT_OF_MEMORY = Diagnosis(category="script", failure_id="cuda.out_of_memory")


@pytest.fixture
def repo(tmp_path, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", str(tmp_path / "data"))
    get_settings.cache_clear()
    root = tmp_path / "repo"
    root.mkdir()
    (root / "train.py").write_text(SOURCE)
    yield root
    get_settings.cache_clear()


def past(number, root, *, user="ada", command=COMMAND, ran_s=600.0, status="completed", origin_s=0.0, **more):
    job = Job(
        job_id=f"j{number}",
        user=user,
        command=command,
        workdir=root.resolve(),
        submit_s=origin_s + 1000.0 * number,
        status=status,
        gpus=1,
    )
    return PastJob(job=job, ran_s=ran_s, **more)


def remember(*jobs):
    with closing(open_database(get_settings().data_dir)) as connection:
        add_jobs(connection, jobs)


def past_jobs():
    return HistoryContext(get_settings().data_dir, 0.9, 3), "built-in"


def ask(repo, command=COMMAND, user="ada"):
    return run_advise(repo, command, ".", Job(job_id="", user=user, gpus=1, submit_s=DAY_S), *past_jobs())


def test_what_has_run_before_is_known_by_its_command(repo):
    speed = Metrics(throughput=120.0, throughput_unit="samples/s")
    hardware = Hardware(gpu_util=0.8, gpu_memory_gib=20.0)
    remember(*(past(n, repo, ran_s=600.0 + n, hardware=hardware, metrics=speed) for n in range(4)))
    estimate = ask(repo, COMMAND.replace("seed 1", "seed 7"))
    assert estimate.source == "resubmission"
    assert estimate.duration_p50_s == pytest.approx(602, abs=2)
    assert estimate.duration_p10_s < 600 < 605 < estimate.duration_p90_s
    assert (estimate.gpu_util, estimate.gpu_memory_gib, estimate.throughput) == (0.8, 20.0, 120.0)
    assert estimate.workload is None, "its code need not be read"
    assert estimate.rests_on[0] == "j3", "the latest first"


def test_a_job_of_another_user_is_found_by_what_it_is(repo):
    first = run_advise(repo, COMMAND, ".", Job(job_id="", user="ada", submit_s=DAY_S), *past_jobs())
    workload = first.workload
    jobs = [past(n, repo, user="bob", command="other", workload=workload, ran_s=900.0) for n in range(3)]
    jobs += [past(9, repo, user="bob", command="more", workload=workload, status="failed", diagnosis=OUT_OF_MEMORY)]
    remember(*jobs)
    estimate = ask(repo)
    assert estimate.source == "similar"
    assert len(estimate.similar) == 3
    assert "model_name" in estimate.similar[0].agrees
    assert estimate.similar[0].similarity > 0.9
    assert estimate.warnings == ("1 of 3 ran out of GPU memory; they used batch_size 16, as this one does",)
    longer = ask(repo, "python train.py --epochs 100 --batch-size 16")
    assert longer.similar[0].differs == ("epochs", "total_steps"), "the steps follow from the size of the known data"
    assert longer.similar[0].compared["epochs"] == ("100.0", "10.0")
    assert longer.duration_p50_s > 5 * estimate.duration_p50_s


def test_where_nothing_is_similar_the_users_jobs_answer_and_it_says_so(repo):
    remember(*(past(n, repo, command=f"python other{n}.py", ran_s=300.0) for n in range(20)))
    estimate = advise(repo, command=COMMAND, user="ada", gpus=1, engine="built-in")
    assert estimate.source == "fallback"
    assert estimate.duration_p50_s == pytest.approx(300, rel=0.2)
    assert "nothing similar" in " ".join(estimate.notes)
    assert estimate.similar == ()


def test_an_empty_history_says_that_it_is(repo):
    estimate = advise(repo, command=COMMAND, user="ada", engine="built-in")
    assert estimate.source == "fallback"
    assert estimate.rests_on == ()
    assert estimate.duration_p50_s is None, "nothing is invented"
    assert "no past job is known to estimate from" in " ".join(estimate.notes)


def test_what_has_not_ended_yet_is_not_known(repo):
    remember(past(1, repo, ran_s=10 * DAY_S))
    assert ask(repo).source == "fallback"


def test_plain_and_compiled_agree(repo):
    remember(*(past(n, repo) for n in range(3)))
    request = Job(job_id="", user="ada", gpus=1, submit_s=time.time())
    plain = run_advise(repo, COMMAND, ".", request, *past_jobs())
    asked = {"repo": str(repo), "command": COMMAND, "user": "ada", "gpus": 1}
    final = build_advise_graph().invoke(asked, context={"engine": "built-in"})
    same = {"elapsed_s": 0.0}
    assert Estimate.model_validate(final["estimate"]).model_copy(update=same) == plain.model_copy(update=same)


def test_a_folder_that_is_none_is_refused(repo):
    with pytest.raises(InputError, match="no folder"):
        ask(repo / "nothing")


def test_the_command_line_prints_the_fields_and_a_card(repo):
    now_s = time.time() - DAY_S
    remember(*(past(n, repo, status="failed", diagnosis=OUT_OF_MEMORY, origin_s=now_s) for n in range(3)))
    arguments = ["advise", str(repo), "--command", COMMAND, "--user", "ada", "--gpus", "1"]
    record = json.loads(CliRunner().invoke(make_app(), [*arguments, "--json"]).output)
    promised = (
        "duration_p50_s duration_p90_s gpu_util gpu_memory_gib throughput p_failure p_cancel source similar warnings"
    )
    assert set(promised.split()) | {"elapsed_s"} <= record.keys()
    assert {"job_id", "similarity", "duration_s", "status", "agrees", "differs"} <= record["similar"][0].keys()
    assert record["p_failure"] > 0.6
    card = CliRunner().invoke(make_app(), arguments).output
    assert "it has run before" in card
    assert "3 of 3 ran out of GPU memory" in card


def test_a_cancelled_run_tells_no_duration_and_is_named(repo):
    """Somebody ended it: how long it would have gone on nobody knows."""
    remember(*(past(n, repo, status="cancelled") for n in range(3)))
    answer = ask(repo)
    assert (answer.source, answer.duration_p50_s, answer.duration_mean_s) == ("fallback", None, None)
    assert any("was cancelled each time" in note for note in answer.notes), answer.notes
    remember(past(7, repo))
    answer = ask(repo)
    assert answer.source == "resubmission"
    assert answer.duration_mean_s == past(7, repo).duration_s


@pytest.mark.parametrize(("runs", "is_told"), [(1, False), (2, False), (3, True)])
def test_a_card_tells_ranges_and_chances_where_there_are_jobs_enough(repo, runs, is_told):
    now_s = time.time() - DAY_S
    remember(*(past(n, repo, origin_s=now_s) for n in range(runs)))
    arguments = ["advise", str(repo), "--command", COMMAND, "--user", "ada", "--gpus", "1"]
    card = CliRunner().invoke(make_app(), arguments).output
    assert ("9 in 10 end within" in card) == is_told
    assert ("unknown (" in card) == (not is_told)
    if runs == 1:
        fate = "unknown (1 past job: j0 completed)"
        assert [line.split(None, 1)[1] for line in card.splitlines() if line.startswith("fails")] == [fate]
