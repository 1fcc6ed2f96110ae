"""Similar jobs held in memory: the same that the store finds."""

from contextlib import closing

import pytest

from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.history.similarity import stored
from schedmate.history.similarity.memory import WorkloadMemory
from schedmate.history.similarity.names import NameCloseness
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Job, PastJob, Workload

MODELS = ("llama-3-8b", "resnet50", "tacotron2", "whisper-small", "dqn")
DATA = ("alpaca", "imagenet", "ljspeech", "librispeech", "Breakout")


def jobs():
    for number in range(40):
        kind = number % 5
        workload = Workload(
            is_training=True, model_name=MODELS[kind], dataset_name=DATA[kind], epochs=1 + number // 5, model_type="x"
        )
        job = Job(job_id=f"j{number}", submit_s=100.0 * number, status="completed")
        yield PastJob(job=job, ran_s=50.0, workload=workload)


@pytest.fixture(scope="module")
def names():
    return NameCloseness(open_built_in())


def test_the_store_finds_what_memory_finds(tmp_path, names):
    asked = Workload(is_training=True, model_name="Llama-3-8B", dataset_name="alpaca", epochs=3, model_type="x")
    held = WorkloadMemory(names)
    for past in jobs():
        held.add(past)
    expected = [past.job.job_id for past, _ in held.find(asked, 0.5, 3)]
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, jobs())
        for _ in range(2):
            found = stored.find_similar(connection, tmp_path, asked, names, threshold=0.5, top=3)
            assert [past.job.job_id for past, _ in found] == expected
        early = stored.find_similar(connection, tmp_path, asked, names, threshold=0.5, top=3, now_s=500.0)
        assert [past.job.job_id for past, _ in early] == ["j0"]


def test_nothing_similar_gives_nothing(tmp_path, names):
    with closing(open_database(tmp_path)) as connection:
        asked = Workload(model_name="gcn", dataset_name="cora")
        assert stored.find_similar(connection, tmp_path, asked, names, threshold=0.9, top=3) == []
        add_jobs(connection, jobs())
        assert stored.find_similar(connection, tmp_path, asked, names, threshold=0.9, top=3) == []
