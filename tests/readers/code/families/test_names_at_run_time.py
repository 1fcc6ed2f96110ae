"""Programs that put names together at run time: modules looked for, options read by hand, loops picked from a table."""

from tests.readers.code.programs import TORCH_HEAD

CHOICE = """
    import importlib
    import importlib.util

    def get_model(name):
        for group in ("general", "sequential"):
            path = ".".join(["zoo", group, name.lower()])
            if importlib.util.find_spec(path):
                return getattr(importlib.import_module(path), name)
        raise ValueError(name)

    def get_trainer(name):
        try:
            return getattr(importlib.import_module("zoo.trainers"), name + "Trainer")
        except AttributeError:
            return getattr(importlib.import_module("zoo.trainers"), "Trainer")
"""
TRAINERS = """
    import torch

    class Trainer:
        def __init__(self, config, model):
            self.config, self.model = config, model
            self.optimizer = torch.optim.RMSprop(model.parameters(), lr=config["learning_rate"])

        def fit(self, data):
            for epoch in range(self.config["epochs"]):
                for batch in torch.utils.data.DataLoader(data, batch_size=self.config["train_batch_size"]):
                    self.model(batch).sum().backward()
                    self.optimizer.step()
"""
NET = """
    import torch

    class Deep(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 8, 3)
"""
RUN = """
    import sys
    import yaml
    from zoo.choice import get_model, get_trainer

    def typed(options):
        for key in options:
            try:
                value = eval(options[key])
            except (NameError, SyntaxError):
                value = options[key]
            options[key] = value
        return options

    config = yaml.safe_load(open("overall.yaml"))
    given = {}
    for word in sys.argv[1:]:
        if not word.startswith("--") or len(word[2:].split("=")) != 2:
            continue
        name, value = word[2:].split("=")
        given[name] = value
    config.update(typed(given))
    model = get_model(config["model"])()
    get_trainer(config["model"])(config, model).fit([1, 2, 3])
"""


def test_modules_are_looked_for_and_options_read_by_hand(read):
    job = read(
        {
            "run.py": RUN,
            "overall.yaml": "epochs: 7\ntrain_batch_size: 2048\nlearning_rate: 0.125\n",
            "zoo/__init__.py": "",
            "zoo/choice.py": CHOICE,
            "zoo/trainers.py": TRAINERS,
            "zoo/general/__init__.py": "",
            "zoo/sequential/__init__.py": "",
            "zoo/sequential/deep.py": NET,
        },
        "python run.py --model=Deep --train_batch_size=512",
    )
    assert job.is_training
    assert job.model_name == "Deep"
    assert (job.batch_size, job.epochs, job.learning_rate, job.optimizer) == (512, 7, 0.125, "RMSprop")
    said, *_ = job.evidence["batch_size"]
    assert "--train_batch_size=512" in said.quote, "what `eval` makes of a word is the word's"


def test_a_loop_from_an_unseen_table_trains_if_it_gets_the_optimizer(read):
    program = f"""
{TORCH_HEAD}
from graphlib_of_others import loops

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
loops["{{name}}"](model, optimizer)
"""
    seen = read({"main.py": program.replace("loops", "train_dict")}, "python main.py")
    assert seen.is_training
    unsure = read({"main.py": program}, "python main.py")
    assert unsure.is_training is None, "a table of any loops is no proof"


def test_where_a_checkpoint_is_unpacked_is_not_where_the_model_computes(read):
    program = """
        import torch
        state = torch.load("last.pt", map_location=torch.device("cpu"))
        model = torch.nn.Linear(2, 2).{place}
        model.load_state_dict(state)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        for step in range(3):
            model(torch.randn(2, 2)).sum().backward()
            optimizer.step()
    """
    assert read({"main.py": program.replace("{place}", "to(where)")}, "python main.py").num_gpus is None
    assert read({"main.py": program.replace("{place}", "to('cpu')")}, "python main.py").num_gpus == 0


def test_a_module_of_settings_that_the_command_names_is_followed_after_its_packages(read):
    files = {
        "settings.py": "class Box(dict):\n    def __getattr__(self, key):\n        return self[key]\n"
        "    def __setattr__(self, key, value):\n        self[key] = value\nchosen = Box()\n",
        "recipes/__init__.py": "from settings import Box, chosen\nchosen.train = Box()\nchosen.train.rounds = 30\n",
        "recipes/birds/__init__.py": "from settings import chosen\nchosen.train.rate = 0.5\nchosen.train.batch = 7\n",
        "recipes/birds/small.py": "from settings import chosen\nchosen.train.batch = 24\n",
        "go.py": """
            import argparse, importlib, torch
            from settings import chosen
            parser = argparse.ArgumentParser()
            parser.add_argument("--recipe")
            importlib.import_module(parser.parse_args().recipe.replace(".py", "").replace("/", "."))
            net = torch.nn.Linear(3, 1)
            optimizer = torch.optim.SGD(net.parameters(), lr=chosen.train.rate)
            for epoch in range(chosen.train.rounds):
                for rows in torch.utils.data.DataLoader(range(9), batch_size=chosen.train.batch):
                    net(rows).sum().backward()
                    optimizer.step()
            """,
    }
    found = read(files, "python go.py --recipe recipes/birds/small.py")
    assert (found.learning_rate, found.epochs, found.batch_size) == (0.5, 30, 24)
