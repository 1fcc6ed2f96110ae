"""Names of which a part is still to be filled in are none."""

import pytest

from schedmate.readers.code.evidence.unfilled_texts import has_gap


@pytest.mark.parametrize(
    "text", ["run_{seed}", "net-{epoch:03d}", "???", "path/to/train.json", "/path/to/rivers", "${ROOT}/net", "<data>"]
)
def test_a_text_with_a_gap(text):
    assert has_gap(text)


@pytest.mark.parametrize("text", ["rivers", "towpath/to/rivers", "a{1}b", "resnet18", "org/net-7b"])
def test_a_text_without_one(text):
    assert not has_gap(text)


def test_omegaconf_s_missing_value_names_no_data(read):
    config = "dataset: ???\nlr: 0.1\n"
    main = """
    import torch
    from omegaconf import OmegaConf
    cfg = OmegaConf.load("conf.yaml")
    net = torch.nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=cfg.lr)
    print(cfg.dataset)
    net(torch.ones(1, 2)).sum().backward()
    opt.step()
    """
    found = read({"main.py": main, "conf.yaml": config}, "python main.py")
    assert (found.learning_rate, found.dataset_name) == (0.1, None)


AGENT = """
import gym
import torch
from absl import app, flags

flags.DEFINE_string("name", "iql_{{world}}", "the run")
class IQLLearner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

def main(_):
    config = {{"algo": "{algo}"}}
    env = gym.make("Hopper-v4")
    net = IQLLearner()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    net.layer(env.reset()).sum().backward()
    opt.step()

app.run(main)
"""


def test_a_template_of_a_run_s_name_tells_the_algorithm_that_it_begins_with(read):
    assert "{" not in (read({"run.py": AGENT.format(algo="none")}, "python run.py").model_name or "")


def test_a_class_that_is_loaded_from_the_user_s_own_folder_goes_by_its_own_name(read):
    main = """
    import torch
    from transformers import LlamaForCausalLM
    net = LlamaForCausalLM.from_pretrained("path/to/hf/dir")
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.ones(1, 2)).loss.backward()
    opt.step()
    """
    assert read({"main.py": main}, "python main.py").model_name == "Llama"


OPTIONS = """
import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--dataset_name", default="dataset_name")
p.add_argument("--model_name_or_path", default="...")
a = p.parse_args()
print(a.dataset_name, a.model_name_or_path)
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.ones(4)).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize("text", ["", "TODO", "none", "[BLK]", "xxx", "dataset_name", "N/A", "___"])
def test_a_word_that_stands_for_a_name_names_no_data(read, text):
    words = f'--dataset_name "{text}"' if text else ""
    found = read({"fit.py": OPTIONS}, f"python fit.py {words}")
    assert (found.dataset_name, found.model_name in (None, "Linear")) == (None, True)


@pytest.mark.parametrize("text", ["moor_larks", "nonet", "xxl-marsh", "todo_marsh_notes"])
def test_a_name_that_only_begins_so_is_one(read, text):
    found = read({"fit.py": OPTIONS}, f"python fit.py --dataset_name {text}").dataset_name
    assert found == (text if "todo" not in text else None)
