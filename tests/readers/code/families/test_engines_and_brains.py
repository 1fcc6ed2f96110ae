"""vLLM's engines, SpeechBrain's Brains, what Keras compiles and its strategies split, named and counted hardware."""

import pytest

ENGINE = """
from vllm import LLM, SamplingParams
engine = LLM(model="acme/gemma-2-9b-it"{more})
print(engine.generate(["a"], SamplingParams(temperature=0.5)))
"""


def test_an_engine_that_is_told_nothing_works_on_one_gpu(read):
    job = read({"write.py": ENGINE.format(more="")}, "python write.py")
    assert (job.is_training, job.model_name, job.param_size) == (False, "acme/gemma-2-9b-it", "9B")
    assert (job.framework, job.num_gpus, job.distributed) == ("vLLM, PyTorch", 1, "none")
    assert job.task_fine == "text generation (inference)"


def test_the_groups_of_an_engine_are_its_gpus(read):
    job = read({"write.py": ENGINE.format(more=", tensor_parallel_size=4")}, "python write.py")
    assert (job.num_gpus, job.distributed) == (4, "TP")


def test_an_engine_beside_a_trainer_does_not_count_its_devices(read):
    code = ENGINE.format(more=", tensor_parallel_size=4") + (
        "import torch\nnet = torch.nn.LSTM(2, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for step in range(9):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    job = read({"write.py": code}, "python write.py")
    assert job.is_training is True
    assert job.num_gpus != 4


BRAIN = """
import sys
import speechbrain as sb
from hyperpyyaml import load_hyperpyyaml

class Phones(sb.Brain):
    def compute_forward(self, batch, stage):
        return self.modules.enc(batch)

file, run_opts, overrides = sb.parse_arguments(sys.argv[1:])
with open(file) as stream:
    hparams = load_hyperpyyaml(stream, overrides)
brain = Phones(modules=hparams["modules"], opt_class=hparams["opt"], hparams=hparams, run_opts=run_opts)
brain.fit(hparams["counter"], [1], train_loader_kwargs=hparams["loader"])
"""
HPARAMS = """
hub: acme/wav2vec2-large
{more}
counter: !new:speechbrain.utils.epoch_loop.EpochCounter
   limit: 15
loader:
   batch_size: 64
enc: !new:speechbrain.lobes.models.VanillaNN.VanillaNN
   dnn_blocks: 2
ear: !new:speechbrain.lobes.models.huggingface_wav2vec.HuggingFaceWav2Vec2
   source: !ref <hub>
modules:
   enc: !ref <enc>
   ear: !ref <ear>
opt: !name:torch.optim.Adam
   lr: 0.001
"""


def brain(read, more="", words=""):
    return read({"train.py": BRAIN, "p.yaml": HPARAMS.format(more=more)}, f"python train.py p.yaml {words}")


def test_a_brain_is_named_after_the_weights_that_it_starts_from(read):
    job = brain(read)
    assert (job.model_name, job.model_type) == ("acme/wav2vec2-large", "transformer")


def test_a_brain_works_on_one_device_in_single_precision(read):
    job = brain(read)
    assert (job.num_gpus, job.distributed, job.precision) == (1, "none", "fp32")
    assert (job.batch_size, job.global_batch_size) == (64, 64)
    assert brain(read, words="--device=cpu").num_gpus == 0


def test_a_brain_takes_precision_and_gathered_batches_from_its_options(read):
    assert brain(read, more="precision: bf16").precision == "bf16"
    job = brain(read, more="auto_mix_prec: True\ngrad_accumulation_factor: 2")
    assert (job.precision, job.global_batch_size) == ("fp16", 128)
    assert brain(read, more="precision: fp16", words="--precision=bf16").precision == "bf16"


KERAS = """
import tensorflow as tf
from tensorflow import keras
from mine import RAdamOptimizer

data = tf.keras.preprocessing.image_dataset_from_directory("pins", batch_size=8)
{strategy}
net = keras.Sequential([keras.layers.Conv2D(8, 3), keras.layers.Dense(2)])
choices = [("adadelta", keras.optimizers.Adadelta(lr=0.001)), ("radam", RAdamOptimizer(0.001))]
chosen = None
for name, made in choices:
    if name == "radam":
        chosen = made
net.compile(optimizer=chosen, loss="categorical_crossentropy")
net.fit(data, epochs=4)
"""
MINE = (
    "from keras.optimizers import Optimizer\nclass RAdamOptimizer(Optimizer):\n"
    "    def __init__(self, learning_rate):\n        self.rate = learning_rate\n"
)


def test_the_optimizer_is_the_one_that_keras_compiles(read):
    assert read({"train.py": KERAS.format(strategy=""), "mine.py": MINE}, "python train.py").optimizer == "RAdam"


def test_keras_splits_what_the_data_are_cut_into_among_replicas(read):
    code = KERAS.format(strategy="strategy = tf.distribute.MirroredStrategy()")
    files = {"train.py": code, "mine.py": MINE, "job.sh": "#SBATCH --nodes=1\n#SBATCH --gres=gpu:4\npython train.py\n"}
    job = read(files, "sbatch job.sh")
    assert (job.num_gpus, job.batch_size, job.global_batch_size) == (4, 2, 8)


LOOP = (
    "import torch\nnet = torch.nn.LSTM(2, 2).cuda()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for step in range(9):\n    net(step).sum().backward()\n    optimizer.step()\n"
)


@pytest.mark.parametrize(("header", "kind"), [("-p gypsum-m40", "M40"), ("--partition=k40", "K40")])
def test_a_partition_is_named_after_its_gpus(read, header, kind):
    script = f"#!/bin/bash\n#SBATCH {header}\npython train.py\n"
    assert read({"train.py": LOOP, "job.sh": script}, "sbatch job.sh").hardware == kind


def test_what_only_uses_a_model_asks_for_hardware_too(read):
    script = "#!/bin/bash\n#SBATCH --gres=gpu:rtx2080:1\npython write.py\n"
    files = {"write.py": ENGINE.format(more=""), "job.sh": script}
    assert read(files, "sbatch job.sh").hardware == "RTX2080"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("The run is set for 4xH100 GPUs.", "H100"),
        ("The run was made on 8xH100 GPUs.", None),
        ("Use 4xH100 or 4xA100 GPUs.", None),
        ("The work before ours took 4 A100 and a week.", None),
    ],
)
def test_a_readme_that_shows_the_command_says_what_it_is_set_for(read, words, kind):
    readme = (
        f"# Thing\nWe have 2xV100 at home.\n## Training\n{words}\n\n```\ntorchrun --nproc_per_node 4 train.py\n```\n"
    )
    assert read({"train.py": LOOP, "README.md": readme}, "torchrun --nproc_per_node 4 train.py").hardware == kind
