"""Types that a program names: the model's own is what it computes in, others' and those only asked for are not."""

import pytest


def test_a_pipeline_computes_in_the_type_that_it_is_loaded_in(read):
    code = (
        "import torch\nfrom diffusers import StableDiffusionPipeline\n"
        "pipe = StableDiffusionPipeline.from_pretrained('someone/drawings', torch_dtype=torch.float16).to('cuda')\n"
        "image = pipe('a house').images[0]\n"
    )
    job = read({"draw.py": code}, "python draw.py")
    assert (job.is_training, job.precision) == (False, "fp16")


@pytest.mark.parametrize(("told", "precision"), [("", "fp32"), (", torch_dtype='auto'", None)])
def test_a_loaded_model_is_used_in_single_precision_unless_something_is_said(read, told, precision):
    code = (
        "from transformers import AutoModelForCausalLM\nimport torch\n"
        f"model = AutoModelForCausalLM.from_pretrained('gpt2'{told}).cuda()\nmodel.eval()\n"
        "with torch.no_grad():\n    print(model.generate(torch.zeros(1, 4)))\n"
    )
    job = read({"sample.py": code}, "python sample.py")
    assert (job.is_training, job.precision) == (False, precision)


MLX = """
import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim

model = nn.Linear(4, 2)
{more}
step = nn.value_and_grad(model, lambda net, x: net(x).sum())
optimizer = optim.Adam(learning_rate=0.01)
for epoch in range(3):
    loss, grads = step(model, mx.ones((8, 4)))
    optimizer.update(model, grads)
"""


@pytest.mark.parametrize(
    ("more", "precision"),
    [("", "fp32"), ("model.load_weights('saved.safetensors')", None), ("weights = mx.load('saved.npz')", None)],
)
def test_mlx_computes_in_single_precision_unless_weights_bring_their_own(read, more, precision):
    job = read({"train.py": MLX.format(more=more)}, "python train.py")
    assert (job.framework, job.optimizer, job.precision) == ("MLX", "Adam", precision)


@pytest.mark.parametrize(
    ("line", "precision"),
    [
        ("wide = x.dtype in (torch.float16, torch.bfloat16)", "fp32"),
        ("wide = x.dtype == torch.bfloat16", "fp32"),
        ("x = x.view(torch.bfloat16)", None),
    ],
)
def test_a_type_that_is_only_asked_for_is_not_computed_in(read, line, precision):
    code = (
        "import torch\nfrom torch.utils.data import DataLoader\nmodel = torch.nn.Linear(3, 2)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x in DataLoader(range(9)):\n"
        f"    {line}\n    model(x).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"train.py": code}, "python train.py").precision == precision


def test_the_reference_model_does_not_set_the_precision(read):
    files = {
        "train.py": """
            import torch
            from transformers import AutoModelForCausalLM

            policy = AutoModelForCausalLM.from_pretrained("some/pythia-2.8b", torch_dtype=torch.float32)
            reference_model = AutoModelForCausalLM.from_pretrained("some/pythia-2.8b", torch_dtype=torch.float16)
            optimizer = torch.optim.RMSprop(policy.parameters(), lr=5e-7)
            for step in range(10):
                policy(1).loss.backward()
                optimizer.step()
            """
    }
    found = read(files, "python train.py")
    assert (found.precision != "fp16", found.param_size) == (True, "2.8B")
