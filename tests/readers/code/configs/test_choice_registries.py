"""draccus' choice registries: the class that `type` picks."""

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
