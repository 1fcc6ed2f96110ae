"""Settings in files that the command names, where the program was not seen to use them."""

import pytest

PROGRAM = """
import argparse
import torch
import orchard

parser = argparse.ArgumentParser()
parser.add_argument("--plan")
parser.add_argument("--batch_size", type=int, default=None)
args = parser.parse_args()
garden = orchard.planted(args.plan)
model = torch.nn.Linear(4, 4)
optimizer = garden.pruner(model.parameters())
for batch in garden.rows():
    model(batch).sum().backward()
    optimizer.step()
"""
PLAN = """
soil:
  batch_size: 12
  max_epoch: 45
  lr: 0.02
  optimizer: adamw
eval:
  batch_size: 3
"""


def facts(job):
    return job.batch_size, job.epochs, job.learning_rate, job.optimizer


def test_the_one_value_of_a_meaning_counts_and_quotes_its_line(read):
    job = read({"grow.py": PROGRAM, "plans/spring.yaml": PLAN}, "python grow.py --plan plans/spring.yaml")
    assert facts(job) == (12, 45, 0.02, "AdamW")
    assert job.evidence["epochs"][0].quote == "max_epoch: 45"
    assert "not followed" in job.evidence["epochs"][0].note


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("second:\n  batch_size: 6\n", (None, 45, 0.02, "AdamW")),
        ("second:\n  max_steps: 900\n", (12, None, 0.02, "AdamW")),
        ("second:\n  lr: 0.02\n  optim: sgd\n", (12, 45, 0.02, None)),
    ],
)
def test_where_two_values_stand_none_is_meant(read, more, expected):
    files = {"grow.py": PROGRAM, "plans/spring.yaml": PLAN + more}
    assert facts(read(files, "python grow.py --plan plans/spring.yaml")) == expected


def test_what_the_command_says_itself_is_not_looked_up(read):
    files = {"grow.py": PROGRAM, "plans/spring.yaml": PLAN}
    assert read(files, "python grow.py --plan plans/spring.yaml --batch_size 99").batch_size == 99


def test_a_job_that_does_not_surely_train_gets_nothing(read):
    code = PROGRAM.replace("    model(batch).sum().backward()\n    optimizer.step()\n", "    print(batch)\n")
    job = read({"grow.py": code, "plans/spring.yaml": PLAN}, "python grow.py --plan plans/spring.yaml")
    assert job.is_training is not True
    assert job.learning_rate is None


LOST = {
    "run.py": """
        import sys
        from toolkit.job import get_job

        job = get_job(sys.argv[1])
        job.run()
        """,
    "toolkit/__init__.py": "",
    "toolkit/job.py": "def get_job(path):\n    this is no Python\n",
    "settings/flux.yaml": """
        job: extension
        config:
          process:
            - type: trainer
              save:
                dtype: float16
              train:
                batch_size: 2
                steps: 2000
                optimizer: adamw8bit
                lr: 1e-4
                dtype: bf16
        """,
}


def test_settings_that_the_command_names_count_where_the_program_was_lost(read):
    job = read(LOST, "python run.py settings/flux.yaml")
    assert (job.is_training, job.batch_size, job.total_steps, job.learning_rate) == (True, 2, 2000, 1e-4)
    assert (job.optimizer, job.precision) == ("AdamW8bit", "bf16")


def test_a_file_that_only_an_absent_library_reads_counts_with_what_it_includes(read):
    files = {
        "go.py": "import torch\nfrom deepwater.options import Options\nfrom deepwater import Pipeline\n"
        "Pipeline(Options().parse_args()).fit()\n",
        "conf/deep.yaml": "includes:\n  - conf/base.yaml\ntraining:\n  batch_size: 14\n",
        "conf/base.yaml": "optimizer:\n  name: AdamW\n  lr: 0.02\ntraining:\n  batch_size: 3\n  num_epochs: 60\n",
    }
    job = read(files, "python go.py -c conf/deep.yaml")
    assert (job.is_training, job.batch_size, job.epochs, job.learning_rate) == (True, 14, 60, 0.02)
    assert job.optimizer == "AdamW"
