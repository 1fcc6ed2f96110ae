"""Programs of language models: their sizes, meshes, caches, ranks, enumerations, and models that stand beside."""

import pytest

SHAPED = """
    import torch
    from torch.utils.data import DataLoader

    class Shape:
        def __init__(self, vocab_size=1000, n_embd=64, n_layer=4, n_head=4, n_positions=32):
            self.vocab_size, self.n_embd, self.n_layer = vocab_size, n_embd, n_layer
            self.n_head, self.n_positions = n_head, n_positions

    class Head(torch.nn.Module):
        def __init__(self, embedding_weights):
            super().__init__()
            self.decoder = torch.nn.Linear(4, 4)
            {tie}

    class GPT(torch.nn.Module):
        def __init__(self, shape):
            super().__init__()
            self.wte = torch.nn.Embedding(shape.vocab_size, shape.n_embd)
            self.head = Head(self.wte.weight)

    model = GPT(Shape(n_layer=6))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for batch in DataLoader(list(range(8)), batch_size=2):
        model(batch).sum().backward()
        optimizer.step()
    """


def test_a_size_from_what_the_network_is_made_with(read):
    tied = read({"train.py": SHAPED.format(tie="self.decoder.weight = embedding_weights")}, "python train.py")
    untied = read({"train.py": SHAPED.format(tie="pass")}, "python train.py")
    blocks, table, places = 6 * 12 * 64 * 64, 1000 * 64, 32 * 64
    assert tied.param_size == str(blocks + table + places)
    assert untied.param_size == str(blocks + 2 * table + places)


def test_tensorflow_on_a_mesh_is_no_single_process(read):
    files = {
        "train.py": """
            import mesh_tensorflow as mtf
            import tensorflow.compat.v1 as tf
            from tensorflow.python.tpu import tpu_estimator

            class WeightDecayOptimizer(mtf.optimize.Optimizer):
                pass

            def model_fn(features, labels, mode, params):
                mesh = mtf.simd_mesh_impl.SimdMeshImpl(params["mesh_shape"], params["layout"])
                if mode == tf.estimator.ModeKeys.TRAIN:
                    optimizer = mtf.optimize.AdafactorOptimizer(learning_rate=params["lr"])
                    return optimizer.apply_grads([], [])

            params = {"mesh_shape": "x:4", "layout": "batch:x", "lr": 2e-4, "train_steps": 900}
            estimator = tpu_estimator.TPUEstimator(model_fn=model_fn, params=params, train_batch_size=64)
            estimator.train(input_fn=None, max_steps=params["train_steps"])
            """
    }
    found = read(files, "python train.py")
    assert (found.is_training, found.num_gpus, found.optimizer) == (True, None, "Adafactor")
    assert found.distributed == "Mesh TensorFlow data and tensor parallel"


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


def test_a_launcher_that_keeps_the_rank_to_itself(read):
    found = read(RANKED, "python -m torch.distributed.launch --use_env --nproc_per_node=2 train.py")
    assert found.distributed is None


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


def test_members_of_enumerations_are_compared(read):
    found = read(ENUMS, "python train.py")
    assert (found.optimizer, found.learning_rate) == ("SGD", 0.5)


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


def test_a_trainer_of_the_repositorys_own_is_named_after_what_it_does(read):
    files = {
        "train.py": """
            import torch
            from transformers import AutoModelForCausalLM

            class PlainPPOTrainer:
                def __init__(self, model):
                    self.model = model
                    self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-5)

                def learn(self):
                    for step in range(5):
                        self.model(1).loss.backward()
                        self.optimizer.step()

            PlainPPOTrainer(AutoModelForCausalLM.from_pretrained("gpt2")).learn()
            """
    }
    assert read(files, "python train.py").task_fine == "reinforcement learning from human feedback (ppo)"
