"""`gcloud ... jobs submit training`: a package's module or an image, on machines that are named after their GPUs."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

PROGRAM = (
    "import argparse\n"
    + TORCH_HEAD
    + TORCH_LOOP.replace("(4, 2)", "(4, 2).to('cuda' if torch.cuda.is_available() else 'cpu')")
    + """
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--job-dir", required=True)
args = parser.parse_args()
train(args.lr, 8, 3)
"""
)
FILES = {"cloud/pack/__init__.py": "", "cloud/pack/fit.py": PROGRAM}
START = "gcloud ai-platform jobs submit training $JOB --module-name pack.fit --package-path cloud/pack --stream-logs"


@pytest.mark.parametrize(
    "start",
    [
        START,
        "gcloud beta ml-engine local train --module-name=pack.fit --package-path=./cloud/pack/",
        "gcloud ml-engine jobs submit training j1 --async --module-name=pack.fit --package-path $PWD/cloud/pack",
    ],
)
def test_the_module_is_started_with_the_words_behind(read, start):
    job = read(FILES, f"{start} --job-dir gs://b/out -- --lr 0.25")
    assert (job.is_training, job.learning_rate, job.optimizer) == (True, 0.25, "AdamW")


@pytest.mark.parametrize(
    "command",
    [
        "gcloud ai-platform jobs describe pack.fit",
        "gcloud compute ssh box --module-name pack.fit",
        "gcloud ai-platform local predict --model-dir out",
        "gcloud",
    ],
)
def test_other_commands_start_nothing_here(read, command):
    assert read(FILES, command).is_training is None


@pytest.mark.parametrize(
    ("machine", "gpus", "hardware"),
    [
        ("--scale-tier BASIC_GPU", 1, "K80"),
        ("--scale-tier custom --master-machine-type standard_p100", 1, "P100"),
        ("--master-machine-type n1-standard-8 --master-accelerator count=1,type=nvidia-tesla-v100", 1, "V100"),
        ("--config tier.yaml", 1, "K80"),
        ("--config elsewhere.yaml", None, None),
    ],
)
def test_machines_are_named_after_their_gpus(read, machine, gpus, hardware):
    job = read(
        {**FILES, "tier.yaml": "trainingInput:\n  scaleTier: BASIC_GPU\n"}, f"{START} {machine} --job-dir gs://b/out"
    )
    assert (job.is_training, job.num_gpus, job.hardware) == (True, gpus, hardware)


@pytest.mark.parametrize("machine", ["", "--scale-tier BASIC", "--scale-tier custom --master-machine-type large_model"])
def test_the_plainest_machines_have_none(read, machine):
    program = """
        import tensorflow as tf
        net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        net.compile(optimizer="adam", loss="mse")
        net.fit([[1.0]], [[1.0]], epochs=3)
    """
    job = read({**FILES, "cloud/pack/fit.py": program}, f"{START} {machine}")
    assert (job.is_training, job.num_gpus, job.hardware) == (True, 0, "CPU")


def test_the_settings_tell_the_words_that_the_command_does_not(read):
    settings = "trainingInput:\n  pythonModule: pack.fit\n  args: ['--lr', '0.125']\n"
    command = "gcloud ai-platform jobs submit training j --config a.yaml --package-path cloud/pack --job-dir gs://b"
    assert read({**FILES, "a.yaml": settings}, command).learning_rate == 0.125
    assert read({**FILES, "a.yaml": settings}, f"{command} -- --lr 0.75").learning_rate == 0.75


def test_an_image_is_taken_for_the_one_that_is_made_here(read):
    files = {"Dockerfile": 'FROM x\nENTRYPOINT ["python", "fit.py"]\n', "fit.py": PROGRAM}
    command = "gcloud ai-platform jobs submit training j --master-image-uri gcr.io/a/b --job-dir gs://b -- --lr 0.25"
    assert read({"fit.py": PROGRAM}, command).is_training is None
    assert read(files, command).learning_rate == 0.25


@pytest.mark.parametrize(
    ("machines", "nodes", "gpus"),
    [
        ("--worker-count 3 --worker-machine-type complex_model_m_p100", 4, 16),
        ("--worker-count 3 --worker-machine-type standard_p100", None, None),
        ("--worker-count=0", 1, 1),
    ],
)
def test_other_machines_are_counted_where_they_are_alike(read, machines, nodes, gpus):
    first = "--scale-tier custom --master-machine-type complex_model_m_p100"
    job = read(FILES, f"{START} {first} {machines} --job-dir gs://b/out")
    assert (job.is_training, job.num_nodes, job.num_gpus) == (True, nodes, gpus)


@pytest.mark.parametrize("tier", ["STANDARD_1", "premium_1", "UNKNOWN_9"])
def test_tiers_of_several_machines_leave_their_number_open(read, tier):
    job = read(FILES, f"{START} --scale-tier {tier} --job-dir gs://b/out")
    assert (job.is_training, job.num_nodes, job.num_gpus) == (True, None, None)


def test_a_file_tells_of_other_machines_too(read):
    settings = "trainingInput:\n  scaleTier: CUSTOM\n  masterType: standard_p100\n  workerType: standard_p100\n"
    job = read({**FILES, "tier.yaml": f"{settings}  workerCount: 2\n"}, f"{START} --config tier.yaml --job-dir gs://b")
    assert job.num_nodes == 3
