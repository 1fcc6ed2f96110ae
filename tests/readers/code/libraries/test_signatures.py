"""What programs ask of a function's parameters: `inspect.signature`, `typing`'s hints."""


def test_options_are_made_of_the_parameters_that_a_class_takes(read):
    code = (
        "import argparse, inspect, typing, torch\nclass Fitting:\n"
        "    def __init__(self, rate: float = 0.1, steps: int = 5, name: typing.Optional[str] = None):\n"
        "        self.rate, self.steps = rate, steps\n    def run(self):\n        net = torch.nn.LSTM(2, 2)\n"
        "        optimizer = torch.optim.Adam(net.parameters(), lr=self.rate)\n"
        "        for step in range(self.steps):\n            net(1)[0].sum().backward()\n            optimizer.step()\n"
        "parser = argparse.ArgumentParser()\nhints = typing.get_type_hints(Fitting.__init__)\n"
        "for key, one in inspect.signature(Fitting).parameters.items():\n"
        "    if one.default is inspect.Parameter.empty:\n        continue\n"
        "    if one.default.__class__.__module__ == 'builtins' and typing.get_origin(hints[key]) is None:\n"
        "        parser.add_argument(f'--{key}', default=one.default, type=type(one.default))\n"
        "Fitting(**vars(parser.parse_args())).run()\n"
    )
    job = read({"train.py": code}, "python train.py --rate 0.02 --steps 900")
    assert (job.learning_rate, job.total_steps) == (0.02, 900)


NEWER = """
import inspect
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

asked = dict(output_dir="out", per_device_train_batch_size=6, eval_strategy="no", max_steps=90)
known = inspect.signature(TrainingArguments.__init__).parameters
arguments = TrainingArguments(**{name: value for name, value in asked.items() if name in known})
Trainer(AutoModelForCausalLM.from_pretrained("gpt2"), arguments).train()
"""


def test_what_a_version_of_a_trainer_takes_is_what_it_is_offered(read):
    job = read({"go.py": NEWER}, "python go.py")
    assert (job.batch_size, job.total_steps, job.optimizer, job.learning_rate) == (6, 90, "AdamW", 5e-5)


def test_what_another_library_takes_is_not_known(outcome):
    code = "import inspect\nfrom far_away import Box\nx = 'size' in inspect.signature(Box).parameters\n"
    assert outcome(code) == "unknown"
