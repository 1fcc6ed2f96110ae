"""Settings of which a loop leaves open which file is meant: what all of them say alike is settled."""

from tests.readers.code.programs import FIT_BATCHES

PROGRAM = (
    "import argparse, yaml\n"
    + FIT_BATCHES
    + """
parser = argparse.ArgumentParser()
parser.add_argument("--config")
cfg = yaml.safe_load(open(parser.parse_args().config))
if cfg["optim"]["kind"] == "adam":
    fit(cfg["optim"]["lr"], cfg["steps"], batch=cfg["batch"])
"""
)
TOLD = "batch: 4\nsteps: {steps}\noptim:\n  kind: adam\n  lr: {rate}\n"
LOOP = "for name in $(ls data); do\n  python go.py --config NAMED\ndone\n"


def files(named, rates, **more):
    texts = {f"runs/{name}.yaml": TOLD.format(steps=7, rate=rate) for name, rate in rates.items()}
    texts |= {f"sets/{name}/fast.yaml": TOLD.format(steps=place, rate=0.5) for place, name in enumerate(rates, 3)}
    return {"go.py": PROGRAM, "run.sh": LOOP.replace("NAMED", named), **texts, **more}


def test_what_all_say_alike_is_settled_and_the_rest_is_open(read):
    job = read(files("runs/$name.yaml", {"one": 0.25, "two": 0.25}), "bash run.sh")
    assert (job.is_training, job.batch_size, job.learning_rate) == (True, 4, 0.25)
    job = read(files("sets/${name}/fast.yaml", {"one": 0.25, "two": 0.125}), "bash run.sh")
    assert (job.is_training, job.batch_size, job.learning_rate, job.total_steps) == (True, 4, 0.5, None)


def test_what_only_some_say_is_open(read):
    more = {"runs/three.yaml": "batch: 4\nsteps: 7\noptim: {kind: adam}\n"}
    job = read(files("runs/$name.yaml", {"one": 0.25, "two": 0.25}, **more), "bash run.sh")
    assert (job.is_training, job.batch_size, job.learning_rate) == (True, 4, None)


def test_a_folder_in_which_other_files_lie_settles_nothing_alike(read):
    more = {"runs/other.yaml": "rows: 3\n"}
    job = read(files("runs/$name.yaml", {"one": 0.25, "two": 0.25}, **more), "bash run.sh")
    assert (job.batch_size, job.learning_rate) == (None, None)
