"""Hugging Face Transformers: arguments with the library's defaults, and the trainer that runs the loop by them."""

import pytest


def test_a_search_trains_and_leaves_the_rate_that_it_tries_open(read):
    code = (
        "from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        "def make(trial=None):\n    return AutoModelForCausalLM.from_pretrained('gpt2')\n"
        "args = TrainingArguments(output_dir='o', num_train_epochs=2, per_device_train_batch_size=3, bf16=True)\n"
        "Trainer(model_init=make, args=args).hyperparameter_search(n_trials=9)\n"
    )
    job = read({"tune.py": code}, "torchrun --nproc_per_node=2 tune.py")
    assert (job.is_training, job.epochs, job.batch_size, job.precision) == (True, 2, 3, "bf16")
    assert (job.learning_rate, job.num_gpus, job.distributed) == (None, 2, "DDP")


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


def test_an_open_limit_of_steps_leaves_no_default_of_epochs(read):
    code = (
        "import sys\nfrom transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        "steps = open('steps.txt').read()\nargs = TrainingArguments(output_dir='o', max_steps=int(steps))\n"
        "Trainer(model=AutoModelForCausalLM.from_pretrained('gpt2'), args=args).train()\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.epochs, job.total_steps) == (None, None)


PARSER = """
import dataclasses, os, sys
from dataclasses import dataclass, field
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

class FileParser(HfArgumentParser):
    def parse_yaml_and_args(self, path, words):
        outputs = []
        words = {word.split("=")[0].strip("-"): word.split("=")[1] for word in words}
        for record, kind in zip(self.parse_yaml_file(os.path.abspath(path)), self.dataclass_types):
            keys = {f.name for f in dataclasses.fields(record) if f.init}
            inputs = {k: v for k, v in vars(record).items() if k in keys}
            inputs.update({k: v for k, v in words.items() if k in keys})
            outputs.append(kind(**inputs))
        return outputs
    def parse(self):
        return self.parse_yaml_and_args(os.path.abspath(sys.argv[1]), sys.argv[2:])

@dataclass
class Model:
    name_or_path: str = field(default=None)

model, training = FileParser((Model, TrainingArguments)).parse()
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained(model.name_or_path), args=training)
for iteration in range(1):
    trainer.train()
"""
FILE = "name_or_path: gpt2\nlearning_rate: 1.0e-5\nnum_train_epochs: 6\nper_device_train_batch_size: 4\n"
FILE += "gradient_accumulation_steps: 8\n"


def test_one_process_of_the_hugging_face_trainer_has_a_batch_for_each_gpu_that_it_sees(read):
    job = read({"train.py": PARSER, "c.yml": FILE}, "python train.py c.yml")
    assert (job.distributed, job.global_batch_size, job.num_gpus) == ("none", None, None)
    job = read({"train.py": PARSER, "c.yml": FILE}, "CUDA_VISIBLE_DEVICES=1 python train.py c.yml")
    assert (job.distributed, job.global_batch_size, job.num_gpus) == ("none", 32, 1)


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


OWN_LOOP = """
    import sys
    import torch
    from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

    class Plough(torch.optim.Optimizer):
        def __init__(self, params, lr):
            super().__init__(params, {{"lr": lr}})

    (args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    model = AutoModelForCausalLM.from_pretrained("gpt2")
    optimizer = Plough(model.parameters(), lr=args.learning_rate)
    {lines}
    """


@pytest.mark.parametrize(
    ("lines", "optimizer"),
    [
        ("for epoch in range(3):\n        model(rows()).loss.backward()\n        optimizer.step()", "Plough"),
        ("Trainer(model=model, args=args, train_dataset=rows()).train()", "AdamW"),
    ],
)
def test_the_trainer_s_default_optimizer_is_none_of_a_loop_of_its_own(read, lines, optimizer):
    found = read({"go.py": OWN_LOOP.format(lines=lines)}, "python go.py --output_dir out --learning_rate 0.002")
    assert (found.optimizer, found.learning_rate) == (optimizer, 0.002)


def test_arguments_that_no_trainer_gets_leave_the_optimizer_to_optax(read):
    code = (
        "import jax\nimport optax\nfrom transformers import FlaxAutoModelForCausalLM, HfArgumentParser\n"
        "from transformers import TrainingArguments\n"
        "(args,) = HfArgumentParser((TrainingArguments,)).parse_args_into_dataclasses()\n"
        "model = FlaxAutoModelForCausalLM.from_pretrained('gpt2')\n"
        "tx = optax.adafactor(learning_rate=args.learning_rate)\nstate = tx.init(model.params)\n"
        "for step in range(30):\n    updates, state = tx.update(jax.grad(loss)(model.params), state)\n"
    )
    found = read({"go.py": code}, "python go.py --output_dir out --learning_rate 0.003")
    assert (found.optimizer, found.learning_rate) == ("Adafactor", 0.003)


SWITCHED = """
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

(args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=args).train()
"""


@pytest.mark.parametrize(
    ("switch", "named"), [("--adafactor", "Adafactor"), ("--adafactor False", "AdamW"), ("", "AdamW")]
)
def test_the_older_switch_of_adafactor_counts(read, switch, named):
    job = read({"tune.py": SWITCHED}, f"python tune.py --output_dir out {switch} --learning_rate 1e-4")
    assert (job.optimizer, job.learning_rate) == (named, 1e-4)
