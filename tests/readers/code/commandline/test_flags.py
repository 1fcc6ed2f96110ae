"""absl's and TensorFlow's flags alone: one namespace for the whole program."""

import pytest

from tests.readers.code.programs import FIT_BATCHES, TORCH_HEAD, TORCH_LOOP

HEAD = "from absl import app, flags\nFLAGS = flags.FLAGS\n"


@pytest.mark.parametrize(
    ("define", "words", "expected"),
    [
        ("DEFINE_float('n', 0.1, 'rate')", "", 0.1),
        ("DEFINE_float('n', 0.1, 'rate')", "--n=0.5", 0.5),
        ("DEFINE_integer('n', 1, 'count')", "--n 3", 3),
        ("DEFINE_integer('n', 1, 'count')", "-n=3", 3),
        ("DEFINE_bool('n', False, 'switch')", "--n", True),
        ("DEFINE_boolean('n', True, 'switch')", "--non", False),
        ("DEFINE_string('n', None, 'text')", "--n=a", "a"),
        ("DEFINE_enum('n', 'a', ['a', 'b'], 'one of')", "--n=b", "b"),
        ("DEFINE_list('n', [], 'several')", "--n=a,b", ["a", "b"]),
    ],
)
def test_what_the_words_make_of_a_flag(outcome, define, words, expected):
    text = f"{HEAD}flags.{define}\ndef main(argv):\n    global x\n    x = FLAGS.n\napp.run(main)\n"
    assert outcome(text, words) == expected


def test_a_flag_of_another_module_is_seen(outcome):
    other = {"options.py": "from absl import flags\nflags.DEFINE_integer('epochs', 3, 'rounds')\n"}
    assert outcome(f"{HEAD}import options\nx = FLAGS.epochs\n", "--epochs=5", other) == 5


def test_what_defining_gives_holds_the_value(outcome):
    assert outcome(f"{HEAD}lr = flags.DEFINE_float('lr', 0.1, 'rate')\nx = lr.value\n", "--lr=0.25") == 0.25


def test_tensorflows_flags_are_the_same(outcome):
    text = "import tensorflow as tf\ntf.app.flags.DEFINE_integer('n', 1, 'n')\nx = tf.app.flags.FLAGS.n\n"
    assert outcome(text, "--n=4") == 4


def test_a_configuration_file_may_be_a_flag(outcome):
    text = (
        "from ml_collections import config_flags\n"
        "c = config_flags.DEFINE_config_file('config')\nx = [c.value.lr, c.value.net.depth]\n"
    )
    config = (
        "import ml_collections\ndef get_config():\n    c = ml_collections.ConfigDict()\n    c.lr = 0.1\n"
        "    c.net = ml_collections.ConfigDict({'depth': 2})\n    return c\n"
    )
    assert outcome(text, "--config=base.py --config.net.depth=6", {"base.py": config}) == [0.1, 6]


def test_flags_stand_in_files_too(outcome):
    text = f"{HEAD}flags.DEFINE_integer('n', 1, '')\nflags.DEFINE_float('r', 0.5, '')\nx = [FLAGS.n, FLAGS.r]\n"
    files = {"job.flags": "# ours\n--n=4\n\n--r=0.25\n"}
    assert outcome(text, "--flagfile=job.flags --r=0.125", files) == [4, 0.125]
    assert outcome(text, "--n=9 --flagfile job.flags", files) == [4, 0.25]


def test_a_record_is_a_flag_with_flags_below(outcome):
    code = """
        import dataclasses
        from ml_collections import config_flags
        @dataclasses.dataclass
        class Job:
            rate: float = 0.5
            rows: int = 4
        JOB = config_flags.DEFINE_config_dataclass("job", Job())
        x = [JOB.value.rate, JOB.value.rows]
    """
    assert outcome(code, "--job.rate=0.25") == [0.25, 4]


FAR = {
    "go.py": "from absl import app\nfrom kit import work\n\ndef main(argv):\n    work.learn()\n\napp.run(main)\n",
    "kit/__init__.py": "",
    "kit/nets/__init__.py": "from .kinds import KIND\n",
    "kit/nets/kinds.py": """
    import enum
    from absl import flags
    @enum.unique
    class KIND(enum.Enum):
        WIDE = 1
        DEEP = 2
    flags.DEFINE_enum_class("kind", KIND.DEEP, KIND, "which")
    """,
    "kit/work.py": """
    import torch
    from absl import flags
    from kit import nets
    FLAGS = flags.FLAGS
    def learn():
        net = torch.nn.Linear(4, 2)
        sgd = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range({"wide": 5, "deep": 9}[FLAGS.kind.name.lower()]):
            for rows in batches():
                net(rows).sum().backward()
                sgd.step()
    """,
}


def test_a_flag_of_a_package_that_is_imported_for_it_alone_is_found(read):
    assert read(FAR, "python go.py").epochs == 9


def test_one_that_nothing_imported_defines_stays_open(read):
    files = {**FAR, "kit/work.py": FAR["kit/work.py"].replace("    from kit import nets\n", "")}
    files["kit/nets/__init__.py"] = ""
    assert read(files, "python go.py").epochs is None


@pytest.mark.parametrize(("words", "expected"), [("", 0.03), ("--rate=0.5", 0.5)])
def test_a_default_that_is_set_later_gives_way_to_the_command(outcome, words, expected):
    code = f"{HEAD}flags.DEFINE_float('rate', 0.1, 'rate')\nFLAGS.set_default('rate', 0.03)\nx = FLAGS.rate\n"
    assert outcome(code, words) == expected


FLAGS = {
    "main.py": TORCH_HEAD
    + TORCH_LOOP
    + """
from absl import app, flags
from ml_collections import config_flags

FLAGS = flags.FLAGS
config_flags.DEFINE_config_file("config", "configs/base.py")
flags.DEFINE_enum("mode", "train", ["train", "eval"], "")

def main(argv):
    if FLAGS.mode == "train":
        c = FLAGS.config
        train(c.optim.lr, c.batch_size, c.epochs)

if __name__ == "__main__":
    app.run(main)
""",
    "configs/base.py": "import ml_collections\ndef get_config(size=''):\n    c = ml_collections.ConfigDict()\n"
    "    c.optim = optim = ml_collections.ConfigDict()\n    optim.lr = 0.5\n    c.batch_size = 8\n"
    "    c.epochs = {'long': 20}.get(size, 2)\n    return c\n",
}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--config=configs/base.py:long --config.optim.lr=0.01", (0.01, 8, 20)),
        ("--config configs/base.py --config.batch_size 16", (0.5, 16, 2)),
        ("", (0.5, 8, 2)),
    ],
)
def test_flags_of_a_config_file_take_an_argument_and_overrides(read, words, found):
    job = read(FLAGS, f"python main.py {words}")
    assert (job.learning_rate, job.batch_size, job.epochs) == found
    assert read(FLAGS, f"python main.py {words} --mode=eval").is_training is not True


def test_mlxu_flags_reach_into_mappings(read):
    program = (
        TORCH_HEAD
        + TORCH_LOOP
        + """
import mlxu

def defaults():
    config = mlxu.config_dict()
    config.lr = 0.5
    config.rounds = 2
    return config

FLAGS, FLAGS_DEF = mlxu.define_flags_with_default(batch_size=8, optimizer=defaults())

def main(argv):
    train(FLAGS.optimizer.lr, FLAGS.batch_size, FLAGS.optimizer.rounds)

if __name__ == "__main__":
    mlxu.run(main)
"""
    )
    job = read({"train.py": program}, "python train.py --batch_size=16 --optimizer.lr=0.01")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 2)


FLAGGED = (
    FIT_BATCHES
    + """
from absl import app, flags
from ml_collections import ConfigDict, config_flags
config_flags.DEFINE_config_dict("model", ConfigDict({"lr": 0.1, "size": 4}))
def main(_):
    fit(flags.FLAGS.model["lr"], 5, batch=flags.FLAGS.model.size)
app.run(main)
"""
)


def test_a_mapping_as_a_flag_takes_what_the_command_says_below_it(read):
    job = read({"train.py": FLAGGED}, "python train.py --model.size 9")
    assert (job.learning_rate, job.batch_size) == (0.1, 9)


CODE = """
import sys, torch, yaml
from torch.utils.data import DataLoader

def as_bool(text):
    return text.lower() == "true"

PARSERS = {str: str, int: int, float: float, bool: as_bool}

class Settings:
    def __init__(self, argv):
        with open(argv[1]) as file:
            raw = yaml.safe_load(file)
        given = dict(word.split("=", 1) for word in argv[2:])
        self.keys = {}
        for key in raw:
            if key in given and type(raw[key]) not in PARSERS:
                raise ValueError(key)
            self.keys[key] = PARSERS[type(raw[key])](given[key]) if key in given else raw[key]

def main(argv):
    keys = Settings(argv).keys
    net = torch.nn.LSTM(4, 4)
    kind = torch.optim.SGD if keys["plain"] else torch.optim.RMSprop
    optimizer = kind(net.parameters(), lr=keys["rate"])
    for epoch in range(keys["epochs"] if type(keys["rate"]) is float else 99):
        for x in DataLoader(range(9), batch_size=keys["size"]):
            net(x).sum().backward()
            optimizer.step()
"""
FILE = "rate: 0.5\nsize: 4\nepochs: 3\nplain: true\n"
COMMAND = "python train.py base.yml rate=0.25 plain=False size=8"


def test_absl_leaves_words_that_are_no_flags_to_the_main_function(read):
    job = read({"train.py": CODE + "from absl import app\napp.run(main)\n", "base.yml": FILE}, COMMAND + " --seed=3")
    assert (job.learning_rate, job.batch_size, job.epochs, job.optimizer) == (0.25, 8, 3, "RMSprop")
