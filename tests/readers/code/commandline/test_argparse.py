"""argparse alone: what a program's options hold once its words were read."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

HEAD = "import argparse\np = argparse.ArgumentParser()\n"


@pytest.mark.parametrize(
    ("options", "words", "expected"),
    [
        ("p.add_argument('--lr', type=float, default=0.1)", "", {"lr": 0.1}),
        ("p.add_argument('--lr', type=float, default=0.1)", "--lr 3e-4", {"lr": 3e-4}),
        ("p.add_argument('--lr', type=float)", "--lr=2", {"lr": 2.0}),
        ("p.add_argument('--batch-size', '-b', type=int)", "-b 8", {"batch_size": 8}),
        ("p.add_argument('-b', type=int)", "-b8", {"b": 8}),
        ("p.add_argument('--bs', dest='batch', type=int)", "--bs 8", {"batch": 8}),
        ("p.add_argument('--epochs', type=int)", "--ep 3", {"epochs": 3}),
        ("p.add_argument('--n', type=int)", "--n 1 --n 2", {"n": 2}),
        ("p.add_argument('--amp', action='store_true')", "", {"amp": False}),
        ("p.add_argument('--amp', action='store_true')", "--amp", {"amp": True}),
        ("p.add_argument('--no-amp', action='store_false', dest='amp')", "--no-amp", {"amp": False}),
        ("p.add_argument('--amp', action=argparse.BooleanOptionalAction, default=True)", "--no-amp", {"amp": False}),
        ("p.add_argument('-v', action='count', default=0)", "-v -v", {"v": 2}),
        ("p.add_argument('--fp', action='store_const', const='bf16')", "--fp", {"fp": "bf16"}),
        ("p.add_argument('--tag', action='append')", "--tag a --tag b", {"tag": ["a", "b"]}),
        ("p.add_argument('--dims', nargs='+', type=int)", "--dims 1 2 3", {"dims": [1, 2, 3]}),
        ("p.add_argument('--size', nargs=2, type=int)", "--size 4 5", {"size": [4, 5]}),
        ("p.add_argument('--log', nargs='?', const='all', default='none')", "--log", {"log": "all"}),
        ("p.add_argument('data')", "cifar", {"data": "cifar"}),
        ("p.add_argument('rest', nargs=argparse.REMAINDER)", "a b=1", {"rest": ["a", "b=1"]}),
        ("p.add_argument('--n', type=int, default='5')", "", {"n": 5}),
        ("p.set_defaults(n=7)\np.add_argument('--n', type=int)", "--n 8", {"n": 8}),
    ],
)
def test_what_the_words_make_of_an_option(outcome, options, words, expected):
    assert outcome(f"{HEAD}{options}\nx = vars(p.parse_args())\n", words) == expected


def test_subcommands_have_options_of_their_own(outcome):
    text = (
        f"{HEAD}below = p.add_subparsers(dest='command')\nfit = below.add_parser('fit')\n"
        "fit.add_argument('--lr', type=float)\nbelow.add_parser('test')\n"
        "args = p.parse_args()\nx = [args.command, args.lr]\n"
    )
    assert outcome(text, "fit --lr 0.5") == ["fit", 0.5]


def test_what_no_option_takes_is_handed_back(outcome):
    text = f"{HEAD}p.add_argument('--a', type=int)\nknown, x = p.parse_known_args()\n"
    assert outcome(text, "--a 1 --other 2") == ["--other", "2"]


def test_words_may_be_given_by_the_program_itself(outcome):
    assert outcome(f"{HEAD}p.add_argument('--a', type=int)\nx = p.parse_args(['--a', '4']).a\n", "--a 1") == 4


def test_parents_hand_their_options_down(outcome):
    text = (
        "import argparse\nparent = argparse.ArgumentParser(add_help=False)\nparent.add_argument('--lr', type=float)\n"
    )
    assert outcome(f"{text}x = argparse.ArgumentParser(parents=[parent]).parse_args().lr\n", "--lr 0.5") == 0.5


def test_a_type_of_the_programs_own_is_followed(outcome):
    text = f"def flag(s):\n    return s.lower() in ('yes', 'true')\n{HEAD}p.add_argument('--amp', type=flag)\n"
    assert outcome(f"{text}x = p.parse_args().amp\n", "--amp Yes") is True


def test_a_word_that_the_shell_leaves_open_is_unknown(outcome):
    assert outcome(f"{HEAD}p.add_argument('--n', type=int)\nx = p.parse_args().n\n", "--n $N") == "unknown"


def test_a_value_knows_the_command_and_a_default_its_line(follow):
    text = f"{HEAD}p.add_argument('--lr', type=float, default=0.1)\np.add_argument('--n', type=int, default=3)\n"
    _, names = follow(f"{text}args = p.parse_args()\nlr, n = args.lr, args.n\n", "--lr 0.5")
    assert names["lr"].src[0].path == "command"
    assert (names["n"].src[0].path, names["n"].src[0].line) == ("main.py", 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "import optparse\np = optparse.OptionParser()\np.add_option('--n', type='int')\nx = p.parse_args()[0].n\n",
            "--n 3",
        ),
        (
            "import configargparse\np = configargparse.ArgParser()\np.add('--n', type=int)\nx = p.parse_args().n\n",
            "--n 3",
        ),
    ],
)
def test_relatives_of_argparse_read_alike(outcome, text, words):
    assert outcome(text, words) == 3


def test_what_a_namespace_holds_stands_over_defaults_and_under_words(outcome):
    code = """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("--rate", type=float, default=0.5)
        p.add_argument("--rows", type=int, default=5)
        held = argparse.Namespace(rate=0.25, rows=7)
        p.parse_args(namespace=held)
        class Known:
            pass
        known = Known()
        known.rows = 3
        p.parse_args([], namespace=known)
        x = [held.rate, held.rows, known.rate, known.rows]
    """
    assert outcome(code, "--rows 9") == [0.25, 9, 0.5, 3]


def test_an_action_adds_to_what_was_there(outcome):
    code = """
        import argparse
        class Pairs(argparse.Action):
            def __call__(self, parser, namespace, values, option_string=None):
                known = getattr(namespace, self.dest) or {}
                for item in values:
                    key, text = item.split("=")
                    known[key] = eval(text)
                setattr(namespace, self.dest, known)
        p = argparse.ArgumentParser()
        p.add_argument("--set", nargs="+", action=Pairs)
        p.add_argument("-v", action="count", default=0)
        a = p.parse_args()
        x = [a.set["rate"], a.set["rows"], a.v]
    """
    assert outcome(code, "-vvv --set rate=0.25 --set rows=7") == [0.25, 7, 3]


def test_a_namespace_keeps_what_its_class_states(outcome):
    code = """
        import argparse
        class Space:
            rounds = 9
        p = argparse.ArgumentParser()
        p.add_argument("--rounds", type=int, default=5)
        p.add_argument("--rows", type=int, default=4)
        held = Space()
        p.parse_args(namespace=held)
        x = [held.rounds, held.rows]
    """
    assert outcome(code) == [9, 4]
    assert outcome(code, "--rounds 3 --rows 2") == [3, 2]


@pytest.mark.parametrize(("words", "kind"), [("--config=other.yml", "b"), ("", "a")])
def test_a_file_that_a_word_opens_is_read(outcome, words, kind):
    code = """
        import argparse, yaml
        p = argparse.ArgumentParser()
        p.add_argument("--config", type=argparse.FileType("r"), default="usual.yml")
        p.add_argument("--kind", default="c")
        args = p.parse_args()
        for key, value in yaml.safe_load(args.config).items():
            args.__dict__[key] = value
        x = args.kind
    """
    assert outcome(code, words, {"usual.yml": "kind: a\n", "other.yml": "kind: b\n"}) == kind


def test_a_file_that_a_word_opens_to_write_is_not_read(outcome):
    code = """
        import argparse
        p = argparse.ArgumentParser()
        p.add_argument("--out", type=argparse.FileType("w"), default="usual.yml")
        x = p.parse_args().out.read() == "kind: a"
    """
    assert outcome(code, "", {"usual.yml": "kind: a"}) == "unknown"


ERROR = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('--n', type=int, default=1)
args = parser.parse_args()
if args.n > 5:
    parser.error('too many')
x = (args.n, parser.get_default('n'))
"""


def test_a_parser_gives_its_defaults_and_ends_what_it_refuses(follow):
    names = follow(ERROR, "--n 3")[1]
    assert [item.data for item in names["x"].data] == [3, 1]


OVER_OPTIONS = """
import argparse
import yaml
from training import train

parser = argparse.ArgumentParser()
parser.add_argument("--config", type=str, default=None)
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--batch_size", type=int, default=4)
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()

def type_of(key):
    for option in parser._get_optional_actions():
        if ("--" + key) in option.option_strings:
            return option.type
    raise ValueError

if args.config is not None:
    for key, value in yaml.safe_load(open(args.config)).items():
        if key in args.__dict__:
            convert = type_of(key)
            args.__dict__[key] = convert(value) if convert is not None else value
train(args.lr, args.batch_size, args.epochs)
"""


def test_a_file_over_the_options_is_converted_as_the_parser_says(read):
    files = {
        "run.py": OVER_OPTIONS,
        "training.py": TORCH_HEAD + TORCH_LOOP,
        "a.yaml": "lr: 1e-3\nbatch_size: 32\nepochs: 7\n",
    }
    job = read(files, "python run.py --config a.yaml")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.001, 32, 7)


RAYS = """
import configargparse
import torch
from tqdm import trange

parser = configargparse.ArgumentParser()
parser.add_argument("--config", is_config_file=True)
parser.add_argument("--datadir", default="./data/llff/fern")
parser.add_argument("--N_rand", type=int, default=4096)
parser.add_argument("--lrate", type=float, default=5e-4)
parser.add_argument("--white", action="store_true")
parser.add_argument("--depths", type=int, nargs="+", default=[1])
args = parser.parse_args()
device = torch.device("cuda")
net = torch.nn.Linear(3, 4).to(device)
optimizer = torch.optim.Adam(net.parameters(), lr=args.lrate)
start = torch.load("last.ckpt")["step"] if args.white else 0
start = start + 1
for i in trange(start, 200000 + 1):
    rays = torch.randn(args.N_rand, args.depths[-1])
    net(rays).sum().backward()
    optimizer.step()
"""


def test_a_configuration_of_configargparse_stands_under_the_command(read):
    text = "# a scene\nexpname = lego\nN_rand = 1024\nlrate: 0.001\nwhite = True\ndepths = [2, 3]\n"
    files = {"run.py": RAYS, "configs/lego.txt": text}
    job = read(files, "python run.py --config configs/lego.txt")
    assert (job.batch_size, job.learning_rate) == (1024, 0.001)
    assert job.total_steps == pytest.approx(200_000, rel=0.001)
    assert job.evidence["batch_size"][0].path == "configs/lego.txt"
    assert read(files, "python run.py --config configs/lego.txt --lrate 0.01").learning_rate == 0.01
    plain = read(files, "python run.py")
    assert (plain.batch_size, plain.learning_rate) == (4096, 0.0005)
    assert read(files, "python run.py --config configs/none.txt").batch_size == 4096


PARSER = """
import argparse
import torch

class Words(argparse.ArgumentParser):
    def __init__(self):
        super(Words, self).__init__(description="words")
        self.add_argument("--lr", type=float, default=0.5)
        self.add_argument("-o", "--opt", nargs="*")

    def parse_args(self, argv=None):
        args = super(Words, self).parse_args(argv)
        args.opt = dict(item.split("=") for item in args.opt or [])
        return args

args = Words().parse_args()
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
for epoch in range(int(args.opt["epochs"])):
    net(torch.ones(2)).sum().backward()
    optimizer.step()
"""


def test_a_parser_of_the_programs_own_asks_its_ancestor(read):
    found = read({"fit.py": PARSER}, "python fit.py --lr 0.25 -o epochs=9")
    assert (found.learning_rate, found.epochs) == (0.25, 9)
