"""Words that stand in names by accident name nothing."""

import pytest

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of, size_of


@pytest.mark.parametrize("name", ["MMAL-Net-master", "MMALNet"])
def test_a_letter_before_a_word_makes_another_word_of_it(name):
    assert known_dataset(name) is None


@pytest.mark.parametrize("name", ["MalNet-Tiny", "data/malnet", "my_cifar10", "mycifar10"])
def test_a_data_set_is_still_found_behind_other_parts(name):
    assert known_dataset(name) is not None


def test_letters_of_two_parts_make_no_family():
    assert family_of("ActorCriticRNN") is None or family_of("ActorCriticRNN").kind == "rnn"
    assert family_of("CRNN").fine == "text recognition"


@pytest.mark.parametrize(
    ("name", "size"), [("bloom-1b1", "1.1B"), ("bloom-7b1", "7.1B"), ("Mixtral-8x7B-v0.1", "8x7B"), ("ViT-B16B", None)]
)
def test_sizes_are_read_as_names_write_them(name, size):
    assert size_of(name) == size


MODEL = """
import torch
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("{path}", device_map="auto")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    model(1).loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("path", ["path/to/model/dir", "/path/to/your/model", "/some/where/model", "<your-model-dir>"])
def test_a_path_that_stands_in_for_another_names_no_model(read, path):
    assert read({"train.py": MODEL.format(path=path)}, "python train.py").model_name is None


def test_a_path_that_ends_in_a_name_names_the_model(read):
    assert read({"train.py": MODEL.format(path="path/to/gpt2-xl")}, "python train.py").model_name == "gpt2-xl"


GROUPS = {
    "conf/config.yaml": "defaults:\n  - model: small\nlr: 1e-4\n",
    "conf/model/small.yaml": "name: Qwen/Qwen2.5-0.5B\n",
    "conf/model/big.yaml": "name: meta-llama/Llama-3.1-8B\n",
    "train.py": """
import hydra
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg):
    model = AutoModelForCausalLM.from_pretrained(cfg.model.name)
    Trainer(model=model, args=TrainingArguments(output_dir="out", learning_rate=cfg.lr), train_dataset=None).train()

if __name__ == "__main__":
    main()
""",
}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python train.py", "Qwen/Qwen2.5-0.5B"),
        ("python train.py model=small", "Qwen/Qwen2.5-0.5B"),
        ("python train.py model=big", "meta-llama/Llama-3.1-8B"),
        ("python train.py model.name=gpt2", "gpt2"),
    ],
)
def test_the_word_of_a_chosen_group_is_no_better_name_than_what_the_group_names(read, command, name):
    assert read(GROUPS, command).model_name == name


GRAPHS = """
import torch
from torch_geometric.nn import GCNConv

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(8, 16), LAST

    def forward(self, x, edges):
        return self.second(self.first(x, edges))

model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(200):
    model(1, 2).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("last", "name"), [("GCNConv(16, 3)", "GCN"), ("torch.nn.Linear(16, 3)", "Net")])
def test_the_kind_of_a_layer_beside_others_is_a_type_and_no_name(read, last, name):
    job = read({"train.py": GRAPHS.replace("LAST", last)}, "python train.py")
    assert (job.model_name, job.model_type) == (name, "gnn")
    assert name == "GCN" or job.task_fine is None


PICKED = """
import torch
from tools.MODULE import best
model = best("x")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(200):
    model(1).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("module", "name"), [("model_ranking", None), ("remodelling", None), ("models", "best")])
def test_what_a_module_of_models_gives_is_named_after_its_function(read, module, name):
    assert read({"train.py": PICKED.replace("MODULE", module)}, "python train.py").model_name == name


PLAYED = """
from trl import PPOTrainer, PPOConfig
trainer = PPOTrainer(PPOConfig(batch_size=8, mini_batch_size=2, gradient_accumulation_steps=4), model, reference)
for round in range(5):
    trainer.step(queries, responses, rewards)
"""


def test_a_step_that_a_trainer_is_told_trains_and_holds_the_whole_batch(read):
    job = read({"train.py": PLAYED}, "python train.py")
    assert (job.is_training, job.optimizer) == (True, "Adam")


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("UNetRes", "U-Net"),
        ("UNETR", "UNETR"),
        ("ViT_S", "ViT"),
        ("vit_s", "ViT"),
        ("ViT-S", "ViT"),
        ("vits", "VITS"),
        ("VITS", "VITS"),
        ("vits_small", "VITS"),
    ],
)
def test_the_letter_of_a_size_behind_a_sign_makes_no_other_family(name, same):
    assert family_of(name) == family_of(same)
    assert family_of("ViT") != family_of("VITS")
