"""Trainers of language models: library defaults behind a repository's own records, Lightning 1's options, sharding."""


def test_defaults_of_a_record_say_nothing_where_it_is_not_seen_to_train(read):
    files = {
        "start.py": """
            import torch
            from trl import SFTConfig
            from elsewhere.jobs import submit

            class Settings(SFTConfig):
                pass

            submit(Settings(output_dir="out"))
            """
    }
    found = read(files, "python start.py")
    assert (found.is_training, found.learning_rate, found.optimizer, found.epochs) == (None, None, None, None)


def test_an_optimizer_that_the_trainer_is_handed_goes_before_its_arguments(read):
    files = {
        "train.py": """
            import torch
            from datasets import load_dataset
            from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments

            model = AutoModelForSequenceClassification.from_pretrained("bert-base-cased")
            optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
            trainer = Trainer(
                model=model,
                args=TrainingArguments(output_dir="out"),
                train_dataset=load_dataset("imdb", split="train"),
                optimizers=(optimizer, None),
            )
            trainer.train()
            """
    }
    found = read(files, "python train.py")
    assert (found.optimizer, found.learning_rate) == ("SGD", 0.01)


def test_epochs_that_nobody_waits_for_are_none(read):
    files = {
        "train.py": """
            import torch
            from torch.utils.data import DataLoader

            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            loader = DataLoader(list(range(8)), batch_size=2)
            for epoch in range(99999999):
                for batch in loader:
                    model(batch).sum().backward()
                    optimizer.step()
            """
    }
    found = read(files, "python train.py")
    assert (found.is_training, found.epochs, found.batch_size) == (True, None, 2)


POLICIES = {
    "policies.py": """
        import torch
        from torch.distributed.fsdp import MixedPrecision

        halves = MixedPrecision(param_dtype=torch.float16, reduce_dtype=torch.float16)
        brains = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
        """,
    "train.py": """
        import sys

        import torch
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
        from transformers import LlamaForCausalLM

        from policies import brains, halves

        torch.distributed.init_process_group("nccl")
        pure = "--pure" in sys.argv
        model = LlamaForCausalLM.from_pretrained("/models/8B")
        if pure:
            model.to(torch.bfloat16)
        model = FSDP(model, mixed_precision=None if pure else halves if "--halves" in sys.argv else brains)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        for step in range(10):
            model(torch.ones(1)).loss.backward()
            optimizer.step()
        """,
}


def test_a_local_path_is_named_by_the_class_that_loads_it(read):
    found = read(POLICIES, "torchrun --nproc_per_node 2 train.py")
    assert (found.model_name, found.param_size) == ("Llama (8B)", "8B")
