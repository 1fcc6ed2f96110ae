"""Vague words of what is learned give way to precise ones; a language model's end is what title and data say."""

import pytest

NET = """
import glob, torch
{imports}

class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

net = {name}()
rows = {rows}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in rows:
    torch.nn.functional.{loss}(net(x), y).backward()
    optimizer.step()
"""


def net(title, rows="read()", loss="cross_entropy", name="BrookNet", imports=""):
    code = NET.format(name=name, rows=rows, loss=loss, imports=imports)
    return {"go.py": code, "README.md": f"# {title}\n"}


@pytest.mark.parametrize(
    ("title", "rows", "fine"),
    [
        ("Learning on point clouds", "glob.glob('data/modelnet40/*')", "point cloud classification"),
        ("A library for time series", "read()", "time series classification"),
        ("Textual graph representation learning", "glob.glob('data/ogbn-arxiv/*')", "node classification"),
        ("Learning on point clouds", "read()", "point cloud understanding"),
        (
            "Part segmentation of point clouds: partseg",
            "glob.glob('data/modelnet40/*')",
            "part segmentation of point clouds",
        ),
        ("Completion: point cloud completion", "glob.glob('data/modelnet40/*')", "point cloud completion"),
    ],
)
def test_a_vague_title_gives_way_to_data_and_loss(read, title, rows, fine):
    assert read(net(title, rows), "python go.py").task_fine == fine


TUNED = """
import glob
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments, {collator}
model = AutoModelForCausalLM.{made}
rows = glob.glob("{path}/*")
def words(row):
    return row["{key}"]
Trainer(model=model, args=TrainingArguments("out"), data_collator={collator}(None)).train()
"""


def tuned(title="Notes", path="rows.bin", key="text", collator="default_data_collator", made=None):
    made = made or 'from_pretrained("orchard/llama-7b")'
    return {"go.py": TUNED.format(path=path, key=key, collator=collator, made=made), "README.md": f"# {title}\n"}


@pytest.mark.parametrize(
    ("files", "fine"),
    [
        (tuned("A language model for question answering"), "question answering"),
        (tuned("Summarization of minutes"), "summarization"),
        (tuned("Notes on a language model"), "language modeling (fine-tuning)"),
        (tuned("Image captioning"), "language modeling (fine-tuning)"),
        (tuned("Question answering", made="from_config(config)"), "language modeling"),
        (tuned(collator="DataCollatorForSeq2Seq"), "supervised fine-tuning"),
        (tuned(collator="DataCollatorForSeq2Seq", key="instruction"), "instruction tuning (supervised fine-tuning)"),
        (tuned(key="instruction"), "language modeling (fine-tuning)"),
        (tuned(path="data/audiocaps"), "audio captioning"),
    ],
)
def test_a_tuned_language_model_has_an_end(read, files, fine):
    assert read(files, "python go.py").task_fine == fine


DRAWN = """
import torch
from diffusers import UNet2DConditionModel

net = UNet2DConditionModel.from_pretrained("stable-diffusion-v1-5/stable-diffusion-v1-5", subfolder="unet")
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-5)
for x in read():
    net(x).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("title", "fine"),
    [
        ("reed-background-removal", "image matting"),
        ("Reeds", "text-to-image generation"),
        ("Better image generation", "text-to-image generation"),
    ],
)
def test_a_network_that_draws_is_trained_on_for_what_the_title_says(read, title, fine):
    assert read({"go.py": DRAWN, "README.md": f"# {title}\n"}, "python go.py").task_fine == fine


LISTENING = '''
"""Simple speech recognition for small boards."""
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--data_dir", default="DATA")
told = parser.parse_args()
net = nn.Sequential(nn.Conv1d(1, 8, 3), nn.Flatten(), nn.Linear(8 * 98, 5))
adam = torch.optim.Adam(net.parameters(), lr=1e-3)
for rows, labels in torch.utils.data.DataLoader(torch.load(told.data_dir), batch_size=8):
    nn.functional.cross_entropy(net(rows), labels).backward()
    adam.step()
'''


def test_a_kind_of_a_wider_task_says_more(read):
    code = LISTENING.lstrip().replace("DATA", "data/speech_commands")
    assert read({"go.py": code}, "python go.py").task_fine.startswith("keyword spotting")
    code = LISTENING.lstrip().replace("DATA", "data/rain")
    assert read({"go.py": code}, "python go.py").task_fine == "speech recognition"
