"""Trainers of language models: library defaults behind a repository's own records, Lightning 1's options, sharding."""

OWN_RECORD = {
    "kit/arguments.py": """
        from dataclasses import dataclass

        from transformers import TrainingArguments as LibraryArguments

        @dataclass
        class KitTrainingArguments(LibraryArguments):
            pooling: str = "mean"
        """,
    "kit/__init__.py": "",
    "train.py": """
        from datasets import load_dataset
        from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer

        from kit.arguments import KitTrainingArguments

        model = SentenceTransformer("distilbert-base-uncased")
        args = KitTrainingArguments(output_dir="out", per_device_train_batch_size=16, num_train_epochs=4, fp16=True)
        data = load_dataset("some/pairs", split="train")
        trainer = SentenceTransformerTrainer(model=model, args=args, train_dataset=data)
        trainer.train()
        """,
}


def test_a_record_that_extends_a_librarys_has_its_defaults(read):
    found = read(OWN_RECORD, "python train.py")
    assert (found.batch_size, found.epochs, found.precision) == (16, 4, "fp16")
    assert (found.learning_rate, found.optimizer) == (5e-5, "AdamW")


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


ENCODERS = """
    from sentence_transformers import InputExample, SentenceTransformer, losses
    from torch.utils.data import DataLoader

    model = SentenceTransformer("all-MiniLM-L6-v2")
    loader = DataLoader([InputExample(texts=["a", "b"])], shuffle=True, batch_size=24)
    loss = losses.MultipleNegativesRankingLoss(model)
    model.fit(train_objectives=[(loader, loss)], {told})
    """


def test_the_older_fit_of_sentence_encoders(read):
    found = read(
        {"train.py": ENCODERS.format(told="epochs=3, use_amp=True, optimizer_params={'lr': 1e-5}")}, "python train.py"
    )
    assert (found.batch_size, found.epochs, found.precision) == (24, 3, "fp16")
    assert (found.learning_rate, found.optimizer) == (1e-5, "AdamW")


def test_the_older_fit_of_sentence_encoders_untold(read):
    found = read({"train.py": ENCODERS.format(told="warmup_steps=10")}, "python train.py")
    assert (found.epochs, found.precision, found.learning_rate, found.optimizer) == (1, "fp32", 2e-5, "AdamW")


LIGHTNING_ONE = {
    "train.py": """
        from argparse import ArgumentParser

        import pytorch_lightning as pl
        import torch
        from torch.utils.data import DataLoader

        class Speaker(pl.LightningModule):
            def __init__(self, args):
                super().__init__()
                self.args = args
                self.layer = torch.nn.Linear(8, 8)

            def configure_optimizers(self):
                return torch.optim.Adam(self.parameters(), lr=self.args.lr)

        parser = ArgumentParser()
        parser.add_argument("--lr", type=float, default=1e-3)
        parser.add_argument("--batch", type=int, default=4)
        if pl.__version__[0] == "2":
            parser.add_argument("--devices", type=int, default=1)
            parser.add_argument("--max_epochs", type=int, default=1)
            parser.add_argument("--precision", type=str, default="bf16")
            parser.add_argument("--strategy", type=str, default="auto")
        else:
            parser = pl.Trainer.add_argparse_args(parser)
        args = parser.parse_args()
        if pl.__version__[0] == "2":
            trainer = pl.Trainer(
                devices=args.devices, max_epochs=args.max_epochs, precision=args.precision, strategy=args.strategy
            )
        else:
            trainer = pl.Trainer.from_argparse_args(args, callbacks=[])
        trainer.fit(Speaker(args), DataLoader(list(range(64)), batch_size=args.batch))
        """
}


def test_lightnings_own_options_and_a_choice_by_its_version(read):
    found = read(LIGHTNING_ONE, "python train.py --devices 2 --max_epochs 7 --precision 16 --strategy ddp --lr 0.01")
    assert (found.num_gpus, found.epochs, found.precision, found.distributed) == (2, 7, "fp16", "DDP")
    assert (found.learning_rate, found.batch_size, found.global_batch_size) == (0.01, 4, 8)


def test_an_options_name_of_lightning_alone(read):
    files = {
        "train.py": LIGHTNING_ONE["train.py"].replace('pl.__version__[0] == "2"', "False"),
    }
    found = read(files, "python train.py --gpus 1 --max_steps 300 --batch 8")
    assert (found.num_gpus, found.total_steps, found.precision, found.batch_size) == (1, 300, "fp32", 8)


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


def test_the_policy_counts_that_the_wrapper_gets(read):
    assert read(POLICIES, "torchrun --nproc_per_node 2 train.py --halves").precision == "fp16"
    assert read(POLICIES, "torchrun --nproc_per_node 2 train.py").precision == "bf16"


def test_without_a_policy_the_models_own_type_counts(read):
    found = read(POLICIES, "torchrun --nproc_per_node 2 train.py --pure")
    assert (found.precision, found.distributed) == ("bf16", "FSDP")


def test_a_local_path_is_named_by_the_class_that_loads_it(read):
    found = read(POLICIES, "torchrun --nproc_per_node 2 train.py")
    assert (found.model_name, found.param_size) == ("Llama (8B)", "8B")


def test_data_named_by_the_file_of_its_class(read):
    files = {
        "tinystories.py": """
            import numpy
            from torch.utils.data import Dataset

            class PretokDataset(Dataset):
                def __init__(self, split):
                    self.items = numpy.memmap(split)

                def __getitem__(self, place):
                    return self.items[place]
            """,
        "train.py": """
            import torch
            from tinystories import PretokDataset
            from torch.utils.data import DataLoader

            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            for batch in DataLoader(PretokDataset("train"), batch_size=2):
                model(batch).sum().backward()
                optimizer.step()
            """,
    }
    assert read(files, "python train.py").dataset_name == "TinyStories"


def test_hardware_in_the_plural(read):
    files = {
        **OWN_RECORD,
        "run.py": """
            import sys

            import yaml
            from kit.arguments import KitTrainingArguments
            from transformers import AutoModelForCausalLM, Trainer

            args = KitTrainingArguments(**yaml.safe_load(open(sys.argv[1])))
            Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=args).train()
            """,
        "recipes/small.yaml": """
            # For one node of 8 x H100s (80GB)
            output_dir: out
            learning_rate: 4.0e-5
            """,
    }
    found = read(files, "python run.py recipes/small.yaml")
    assert (found.hardware, found.learning_rate) == ("H100", 4e-5)
