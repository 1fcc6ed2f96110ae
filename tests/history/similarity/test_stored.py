"""Similar jobs out of the store: through the index as without it, and never one that had not ended."""

from contextlib import closing
from random import Random

from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.history.similarity import stored
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import find_similar
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Job, PastJob, Workload

MODELS = ("gpt2", "resnet50", "bert-base", "vit-large", "yolov5", "t5-small")
DATA = ("wikitext", "imagenet", "squad", "coco", "c4")


def made(number, draw):
    workload = Workload(
        is_training=True, model_name=draw.choice(MODELS), dataset_name=draw.choice(DATA), epochs=draw.randint(1, 40),
        num_gpus=draw.choice((1, 2, 4, 8)), batch_size=draw.choice((8, 16, 32)),
    )  # fmt: skip
    job = Job(job_id=str(number), submit_s=number, start_s=number, end_s=number + 5, status="completed")
    return PastJob(job=job, workload=workload)


def test_the_index_finds_what_comparing_all_finds(tmp_path, monkeypatch):
    draw, names = Random(3), NameCloseness(open_built_in())
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number, draw) for number in range(900)])
        asked = [made(0, draw).workload for _ in range(12)]

        def found(**more):
            options = {"threshold": 0.5, "top": 3, **more}
            return [find_similar(connection, tmp_path, one, names, **options) for one in asked]

        outright = found()
        monkeypatch.setattr(stored, "OUTRIGHT", 10)
        indexed = found()
        assert all(len(one) == 3 for one in outright)
        for exact, near in zip(outright, indexed, strict=True):
            assert [likeness.raw for _, likeness in near] == [likeness.raw for _, likeness in exact]
        early = found(now_s=100.0)
        assert all(past.known_s <= 100 for one in early for past, _ in one)
        again = made(9_999, draw)
        add_jobs(connection, [again])
        assert again.job.job_id in {
            past.job.job_id
            for past, _ in find_similar(connection, tmp_path, again.workload, names, threshold=0.9, top=50)
        }
