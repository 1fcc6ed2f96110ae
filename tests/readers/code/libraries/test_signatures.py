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
