"""What an engine of vLLM is told it computes in."""

import pytest

SAMPLE = """
import vllm

engine = vllm.LLM(model="facebook/opt-125m"{told})
print(engine.generate("Hello"))
"""


@pytest.mark.parametrize(
    ("told", "precision"), [(', dtype="bfloat16"', "bf16"), (', dtype="half"', "fp16"), (', dtype="auto"', None)]
)
def test_the_engine_computes_in_the_type_that_it_is_told(read, told, precision):
    assert read({"say.py": SAMPLE.format(told=told)}, "python say.py").precision == precision


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
