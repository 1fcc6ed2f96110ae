"""Networks around others: an encoder named as upstream, a part that an option picks, an optimizer of one's own."""

import time
from itertools import chain

NETS = """
import torch
from torch import nn

class TensorField(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

class Spinner(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

class Assembly_Net(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
"""
FIT = "for step in range(40):\n    net(step).sum().backward()\n    optimizer.step()\n"
SGD = "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"


def test_the_option_that_picks_the_inner_network_names_the_whole(read):
    code = (
        NETS + "import argparse\np = argparse.ArgumentParser()\np.add_argument('--model', default='spinner')\n"
        "a = p.parse_args()\nif a.model == 'spinner':\n    inner = Spinner()\nelse:\n    inner = TensorField()\n"
        "net = Assembly_Net(inner)\n" + SGD + FIT
    )
    assert read({"train.py": code}, "python train.py --model tensorfield").model_name == "tensorfield"


def test_an_option_that_is_called_like_a_part_of_the_network_does_not_name_it(read):
    code = (
        NETS + "import argparse\np = argparse.ArgumentParser()\np.add_argument('--model', default='spinner')\n"
        "a = p.parse_args()\nclass VoiceNet(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.teacher, self.body = Spinner(), torch.nn.LSTM(2, 2)\n"
        "    def forward(self, x):\n        return self.body(x)\nnet = VoiceNet()\n" + SGD + FIT
    )
    assert read({"train.py": code}, "python train.py --model spinner").model_name == "VoiceNet"


def test_an_encoder_that_the_command_names_as_upstream_names_the_model(read):
    code = (
        NETS + "import argparse, hubs\np = argparse.ArgumentParser()\np.add_argument('-u', '--upstream')\n"
        "a = p.parse_args()\nencoder = getattr(hubs, a.upstream)()\nnet = Assembly_Net(Spinner())\n" + SGD + FIT
    )
    job = read({"train.py": code, "hubs.py": ""}, "python train.py -u wav2vec2")
    assert (job.model_name, job.model_type) == ("wav2vec2", "transformer")


def test_an_upstream_that_is_a_branch_of_git_names_no_model(read):
    code = (
        NETS + "import argparse, subprocess\np = argparse.ArgumentParser()\np.add_argument('--upstream')\n"
        "a = p.parse_args()\nsubprocess.run(['git', 'fetch', a.upstream])\nclass Net(Spinner):\n    pass\nnet = Net()\n"
        + SGD
        + FIT
    )
    assert read({"train.py": code}, "python train.py --upstream upstream/dev").model_name == "Net"


def test_what_an_optimizer_of_ones_own_gets_is_the_network(read):
    code = (
        NETS + "class Scaler(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "class AdamW(torch.optim.Optimizer):\n    def __init__(self, params, lr):\n"
        "        super().__init__(params, dict(lr=lr))\n    def step(self):\n        pass\n"
        "scale = Scaler()\nnet = Assembly_Net(Spinner())\noptimizer = AdamW(net.parameters(), lr=0.01)\n" + FIT
    )
    assert read({"train.py": code}, "python train.py").model_name == "Assembly_Net"


def test_a_network_around_a_librarys_own_is_of_its_type(read):
    code = (
        "import torch\nfrom torch import nn\nfrom transformers import GPT2Model, GPT2Tokenizer\n"
        "class Flow(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.words = GPT2Tokenizer.from_pretrained('gpt2')\n        self.inside = nn.Linear(6, 768)\n"
        "        self.core = GPT2Model.from_pretrained('gpt2')\n        self.out = nn.Linear(768, 6)\n"
        "    def forward(self, x):\n        return self.out(self.carried(self.inside(x)))\n"
        "    def carried(self, x):\n        return self.core(x)[0]\n"
        "net = Flow()\n" + SGD + FIT
    )
    assert read({"train.py": code}, "python train.py").model_type == "transformer"
    for idle in ("x", "self.other(x)"):
        without = code.replace("self.core(x)[0]", idle)
        assert read({"train.py": without}, "python train.py").model_type == "mlp", idle
    measured = code.replace("import GPT2Model", "import BertScore").replace(
        "GPT2Model.from_pretrained('gpt2')", "BertScore()"
    )
    assert read({"train.py": measured}, "python train.py").model_type == "mlp"


def test_gradients_are_gathered_where_the_loop_goes_on_before_the_step(read):
    body = ("loss = net(i).sum() / every", "loss.backward()", "seen += 1", "{test}", "    continue", "{step}")
    for test in ("if seen % every > 0:", "if seen % every != 0:", "if seen % every:"):
        for step in ("optimizer.step()", "if i:\n        scaler.step(optimizer)"):
            lines = [f"    {line}".format(test=test, step=step) for line in body]
            start = NETS.splitlines(), ["net = Spinner()", SGD, "every, seen = 8, 0", "for i in range(800):"]
            job = read({"train.py": "\n".join([*chain(*start), *lines])}, "python train.py")
            assert job.extra["gradient_accumulation_steps"] == "8", (test, step)


def test_turns_that_are_left_out_before_the_gradients_gather_none(read):
    for test in ("if i % world != rank:", "if i % 2:"):
        loop = f"for i in range(800):\n    {test}\n        continue\n    gradients(net, i)\n    optimizer.step()\n"
        code = "import os\nfrom helpers import gradients\n" + NETS + "net = Spinner()\n" + SGD
        code += "world, rank = 4, int(os.environ.get('RANK', 0))\n" + loop
        helpers = "def gradients(net, i):\n    net(i).sum().backward()\n"
        job = read({"train.py": code, "helpers.py": helpers}, "python train.py")
        assert "gradient_accumulation_steps" not in job.extra, test


def test_a_loop_of_many_left_out_turns_is_looked_through_once(read):
    turns = "".join(f"    if i % {n} != 0:\n        continue\n    a{n} = 1\n" for n in range(2, 1500))
    code = NETS + "net = Spinner()\n" + SGD + "for i in range(800):\n" + turns
    code += "    net(i).sum().backward()\n    optimizer.step()\n"
    begun = time.process_time()
    assert read({"train.py": code}, "python train.py").optimizer == "SGD"
    assert time.process_time() - begun < 40


def test_what_a_program_loads_as_data_takes_no_room_from_its_code(read):
    code = "import json, parts\nrows = json.load(open('rows.json'))\n" + NETS + "net = Spinner()\n"
    code += "optimizer = torch.optim.SGD(net.parameters(), lr=parts.RATE)\n" + FIT
    rows = "[" + ", ".join(['"some words of a row"'] * 50_000) + "]"
    job = read({"train.py": code, "rows.json": rows, "parts.py": "RATE = 0.125\n"}, "python train.py")
    assert job.learning_rate == 0.125


def trainer(read, arguments, library="pytorch_lightning"):
    code = (
        f"import {library} as pl\nimport torch\nclass Lit(pl.LightningModule):\n"
        "    def __init__(self):\n        super().__init__()\n        self.net = torch.nn.LSTM(2, 2)\n"
        "    def configure_optimizers(self):\n        return torch.optim.Adam(self.parameters(), lr=0.1)\n"
        "    def training_step(self, batch, place):\n        return self.net(batch).sum()\n"
        f"pl.Trainer({arguments}).fit(Lit())\n"
    )
    return read({"train.py": code}, "CUDA_VISIBLE_DEVICES=0,1 python train.py")


def test_lightning_takes_what_is_visible_on_each_node_and_by_default(read):
    assert trainer(read, "devices=-1, num_nodes=2, max_epochs=3").num_gpus == 4
    assert trainer(read, "accelerator='gpu', max_epochs=3").num_gpus == 2
    assert trainer(read, "max_epochs=3", "lightning.pytorch").num_gpus == 2
    assert trainer(read, "max_epochs=3").num_gpus != 2
    for elsewhere in ("'tpu'", "'hpu'", "'mps'"):
        assert trainer(read, f"accelerator={elsewhere}, max_epochs=3", "lightning.pytorch").num_gpus is None
        assert trainer(read, f"accelerator={elsewhere}, devices=-1, max_epochs=3").num_gpus is None
