"""Programs of language models: their sizes, meshes, caches, ranks, enumerations, and models that stand beside."""

import pytest


def test_data_that_can_be_loaded_go_before_their_cache(read):
    files = {
        "train.py": """
            import os
            import sys

            from datasets import load_dataset, load_from_disk
            from transformers import AutoModelForSeq2SeqLM, Trainer, TrainingArguments

            cache = "cache_data/summarize"
            data = load_from_disk(cache) if os.path.exists(cache) else load_dataset("some/texts", split="train")
            model = AutoModelForSeq2SeqLM.from_pretrained("Some/lm-1_8B")
            Trainer(model=model, args=TrainingArguments(output_dir="out"), train_dataset=data).train()
            """
    }
    found = read(files, "python train.py")
    assert (found.dataset_name, found.param_size) == ("some/texts", "1.8B")


RANKED = {
    "train.py": """
        import argparse

        import torch
        from torch.utils.data import DataLoader

        parser = argparse.ArgumentParser()
        parser.add_argument("--local_rank", type=int, default=-1)
        args = parser.parse_args()
        model = torch.nn.Linear(3, 3)
        if args.local_rank != -1:
            torch.distributed.init_process_group("nccl")
            model = torch.nn.parallel.DistributedDataParallel(model)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        for epoch in range(3):
            for batch in DataLoader([1, 2], batch_size=4):
                model(batch).backward()
                optimizer.step()
        """
}


@pytest.mark.parametrize(
    "launcher", ["python -m torch.distributed.launch --nproc_per_node=2", "deepspeed --num_gpus 2"]
)
def test_launchers_that_tell_the_rank_as_an_option(read, launcher):
    assert read(RANKED, f"{launcher} train.py").distributed == "DDP"


ENUMS = {
    "train.py": """
        from enum import Enum

        import torch

        class Kind(str, Enum):
            ADAM: str = "adam"
            SGD: str = "sgd"

        class Mode(Enum):
            FAST = 1
            SLOW = 2

        def optimizer_of(name):
            if name == Kind.ADAM:
                return torch.optim.Adam
            if name in (Kind.SGD,):
                return torch.optim.SGD
            raise ValueError(name)

        model = torch.nn.Linear(3, 3)
        rate = 0.5 if Mode.SLOW is not Mode.FAST and Mode.SLOW == Mode.SLOW else 0.1
        optimizer = optimizer_of("sgd")(model.parameters(), lr=rate)
        for step in range(10):
            for micro_batch in range(4):
                model(1).backward()
            optimizer.step()
        """
}


def test_micro_batches_are_no_steps(read):
    assert read(ENUMS, "python train.py").total_steps == 10


def test_nothing_is_said_of_a_program_that_would_break_off(read):
    files = {
        "start.py": """
            import torch
            from kit import learner

            model = torch.load("weights")
            with torch.no_grad():
                model.eval()
            learner("its name")
            """,
        "kit.py": """
            def learner(name):
                if name == "another name":
                    return None
                raise ValueError(name)
            """,
    }
    assert read(files, "python start.py").is_training is None


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
