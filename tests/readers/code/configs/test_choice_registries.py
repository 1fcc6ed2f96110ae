"""draccus' choice registries: the class that `type` picks."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

HEAD = (
    "from dataclasses import dataclass, field\nimport draccus\n"
    "@dataclass\nclass Optim(draccus.ChoiceRegistry):\n    lr: float = 0.1\n"
    "@Optim.register_subclass('adam')\n@dataclass\nclass Adam(Optim):\n    beta: float = 0.9\n"
    "@Optim.register_subclass('sgd')\n@dataclass\nclass Sgd(Optim):\n    momentum: float = 0.5\n"
    "@dataclass\nclass Config:\n    optim: Optim = field(default_factory=Adam)\nc = draccus.parse(Config)\n"
)


def test_the_word_picks_the_class(outcome):
    assert outcome(f"{HEAD}x = [c.optim.lr, c.optim.momentum]\n", "--optim.type sgd --optim.lr 0.3") == [0.3, 0.5]


def test_without_a_word_the_default_stands(outcome):
    assert outcome(f"{HEAD}x = [c.optim.lr, c.optim.beta]\n", "--optim.lr 0.3") == [0.3, 0.9]


def test_a_class_tells_its_choices(outcome):
    assert outcome(f"{HEAD}x = Optim.get_choice_class('sgd')().momentum\n") == 0.5


CHOICES = """
from dataclasses import dataclass, field
import draccus

@dataclass
class Recipe(draccus.ChoiceRegistry):
    lr: float = 0.5
    batch_size: int = 8

@Recipe.register_subclass("quick")
@dataclass
class Quick(Recipe):
    lr: float = 0.01

@dataclass
class Config:
    recipe: Recipe = field(default_factory=Recipe)
    epochs: int = 1

    def __post_init__(self):
        self.rounds = self.epochs * 2
"""
CHOOSES = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
import draccus
from recipes import Config

@draccus.wrap()
def main(cfg: Config):
    train(cfg.recipe.lr, cfg.recipe.batch_size, cfg.rounds)

main()
"""
)


def test_a_record_of_the_chosen_class_is_made_with_its_values_at_once(read):
    files = {"train.py": CHOOSES, "recipes.py": CHOICES}
    job = read(files, "python train.py --recipe.type quick --recipe.batch_size 16 --epochs 3")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 6)


def test_a_file_chooses_and_the_command_line_stands_over_it(read):
    files = {
        "train.py": CHOOSES,
        "recipes.py": CHOICES,
        "base.yaml": "recipe: !include part.yaml\nepochs: 4\n",
        "part.yaml": "type: quick\nbatch_size: 32\n",
    }
    job = read(files, "python train.py --config_path base.yaml --epochs 5")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 32, 10)


def test_a_choice_that_was_not_found_makes_nothing_known(read):
    job = read({"train.py": CHOOSES, "recipes.py": CHOICES}, "python train.py --recipe.type slow --epochs 3")
    assert (job.learning_rate, job.batch_size, job.epochs) == (None, None, 6)


def test_the_members_of_an_enumeration_are_registered_in_a_loop(read):
    recipes = CHOICES.replace('@Recipe.register_subclass("quick")\n', "") + (
        "from enum import Enum\n"
        "class Known(Enum):\n    QUICK = Quick\n    SLOW = Recipe\n"
        "    @property\n    def key(self):\n        return self.name.lower()\n"
        "for one in Known:\n    Recipe.register_subclass(one.key, one.value)\n"
    )
    job = read({"train.py": CHOOSES, "recipes.py": recipes}, "python train.py --recipe.type=quick")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 8, 2)
