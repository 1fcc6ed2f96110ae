"""What names tell of a task: the class's own, a head on a model of other sequences, an algorithm of several agents."""

import pytest

PARTS = """
import torch
class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 64, 1)
    def forward(self, x):
        return self.conv(x)
net = {name}().cuda()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    torch.nn.functional.cross_entropy(net(1), 2).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("name", "fine"),
    [
        ("PointNetPartSeg", "part segmentation of point clouds"),
        ("PointNetCls", "point cloud classification"),
        ("OCRNet", "semantic segmentation"),
    ],
)
def test_a_class_says_more_than_its_family(read, name, fine):
    job = read({"run.py": PARTS.format(name=name)}, "python run.py")
    assert (job.model_name, job.task, job.task_fine) == (name, "CV", fine)


HEAD = """
from transformers import {head}, Trainer, TrainingArguments
model = {head}.from_pretrained("{name}")
Trainer(model=model, args=TrainingArguments("out")).train()
"""


@pytest.mark.parametrize(
    ("head", "name", "task", "fine"),
    [
        ("AutoModelForSequenceClassification", "zhihan1996/DNABERT-2-117M", "other", "sequence classification"),
        ("AutoModelForMaskedLM", "zhihan1996/DNABERT-2-117M", "other", "genomic sequence modeling"),
        ("AutoModelForSequenceClassification", "roberta-base", "NLP", "text classification"),
        ("AutoModelForSeq2SeqLM", "t5-small", "NLP", "sequence-to-sequence"),
    ],
)
def test_a_head_tells_what_a_model_of_sequences_learns(read, head, name, task, fine):
    job = read({"run.py": HEAD.format(head=head, name=name)}, "python run.py")
    assert (job.task, job.task_fine) == (task, fine)


def test_two_gpus_of_one_process_share_the_hugging_face_trainers_batch(read):
    files = {"run.py": HEAD.format(head="AutoModelForMaskedLM", name="roberta-base")}
    job = read(files, "CUDA_VISIBLE_DEVICES=0,1 python run.py")
    assert (job.distributed, job.num_gpus, job.batch_size, job.global_batch_size) == ("DataParallel", 2, 8, 16)


AGENTS = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--algorithm_name")
parser.add_argument("--num_env_steps", type=int, default=1000)
parser.add_argument("--ppo_epoch", type=int, default=15)
args = parser.parse_args()
class Actor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)
actor = Actor().cuda()
optimizer = torch.optim.Adam(actor.parameters(), lr=7e-4)
for episode in range(args.num_env_steps // 100):
    collect(actor)
    for _ in range(args.ppo_epoch):
        actor(1).sum().backward()
        optimizer.step()
"""


def test_an_algorithm_of_several_agents_counts_the_steps_of_their_world(read):
    job = read({"run.py": AGENTS}, "python run.py --algorithm_name rmappo --num_env_steps 20000000")
    assert (job.model_name, job.task, job.task_fine) == ("rmappo", "RL", "multi-agent reinforcement learning")
    assert (job.epochs, job.total_steps, job.learning_rate) == (None, 20_000_000, 7e-4)


def test_an_own_language_model_may_be_tuned_by_the_scripts_name(read):
    code = PARTS.format(name="LlamaForCausalLM")
    assert read({"ft_llama.py": code}, "python ft_llama.py").task_fine == "language modeling (fine-tuning)"
    assert read({"draft_llama.py": code}, "python draft_llama.py").task_fine == "language modeling"
