"""OmegaConf's interpolation, resolved where it can be and unknown where not."""

import pytest

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.configs.omegaconf_interpolation import resolve_all
from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.values.value import Value, is_unknown
from schedmate.tools.repository import Repository


@pytest.fixture
def resolve(tmp_path):
    def resolve_text(text, environment=None):
        run = new_run(Repository(tmp_path), [])
        run.environ.update({name: Value(value) for name, value in (environment or {}).items()})
        root = read_yaml(text, "c.yaml")
        resolve_all(run, root)
        return root.data["x"]

    return resolve_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 3\nx: ${a}\n", 3),
        ("a: {b: 3}\nx: ${a.b}\n", 3),
        ("a: [1, 2]\nx: ${a[1]}\n", 2),
        ("a: 3\nb: ${a}\nx: ${b}\n", 3),
        ("a: 3\nx: run_${a}_${a}\n", "run_3_3"),
        ("x: ${oc.env:HOME_OF_DATA}\n", "/data"),
        ("x: ${oc.env:MISSING,7}\n", 7),
        ("k: b\nb: 4\nx: ${${k}}\n", 4),
    ],
)
def test_a_reference_gives_what_it_names(resolve, text, expected):
    assert resolve(text, {"HOME_OF_DATA": "/data"}).data == expected


def test_dots_lead_upwards(resolve):
    assert resolve("x:\n  lr: ${.rate}\n  rate: 0.1\n").data["lr"].data == 0.1
    assert resolve("rate: 0.2\nx:\n  lr: ${..rate}\n").data["lr"].data == 0.2


@pytest.mark.parametrize(
    "text", ["x: ${missing}\n", "x: ${x}\n", "x: ${oc.env:MISSING}\n", "x: ${own:1}\n", "x: a${\n"]
)
def test_what_leads_nowhere_is_unknown(resolve, text):
    assert is_unknown(resolve(text))


def test_a_value_knows_both_places(resolve):
    assert [spot.line for spot in resolve("a: 3\nx: ${a}\n").src] == [1, 2]


def test_a_resolver_of_the_programs_own_is_followed(outcome):
    text = (
        "from omegaconf import OmegaConf\nOmegaConf.register_new_resolver('twice', lambda n: 2 * n)\n"
        "x = OmegaConf.merge(OmegaConf.load('c.yaml'), {}).b\n"
    )
    assert outcome(text, "", {"c.yaml": "b: ${twice:4}\n"}) == 8


def test_what_is_loaded_and_not_merged_is_resolved_when_it_is_asked_for(outcome):
    files = {"job.yaml": "base: 4\nrun:\n  rows: ${base}\n  rate: ${eval:'0.5 / 2'}\n"}
    code = "from omegaconf import OmegaConf\nc = OmegaConf.load('job.yaml')\nc.base = 8\n"
    code += "x = [c.run.rows, c['run']['rate']]\n"
    assert outcome(code, "", files) == [8, 0.25]


LATE = """
import hydra

@hydra.main(config_path="conf", config_name="job", version_base="1.3")
def main(config):
    from ours import learn
    learn(config)

main()
"""
OURS = """
import torch
from omegaconf import OmegaConf

def on_a_laptop():
    return False

OmegaConf.register_new_resolver("laptop", lambda small, large=None: small if on_a_laptop() else large)
OmegaConf.register_new_resolver("twice", lambda number: 2 * number)
OmegaConf.register_new_resolver("asked", lambda name: ask(name))

def learn(config):
    net = torch.nn.Linear(4, 2)
    sgd = torch.optim.SGD(net.parameters(), lr=config.lr)
    loader = torch.utils.data.DataLoader(rows(), batch_size=config.data.batch_size)
    for epoch in range(config.epochs):
        for batch in loader:
            net(batch).sum().backward()
            sgd.step()
"""


def test_resolvers_that_are_given_after_the_composition_are_asked(read):
    job = "epochs: ${twice:${half}}\nhalf: 6\nlr: ${asked:lr}\nsize: ${data.batch_size}\n"
    job += "data:\n  batch_size: ${laptop:2,48}\n"
    files = {"go.py": LATE, "ours/__init__.py": OURS, "conf/job.yaml": job}
    found = read(files, "python go.py")
    assert (found.batch_size, found.epochs, found.learning_rate) == (48, 12, None)


def test_what_refers_to_one_is_settled_with_it(read):
    job = "epochs: 3\nlr: 0.1\nsize: ${laptop:2,48}\ndata:\n  batch_size: ${size}\n"
    files = {"go.py": LATE, "ours/__init__.py": OURS, "conf/job.yaml": job}
    assert read(files, "python go.py").batch_size == 48


def test_a_resolver_that_nobody_gives_leaves_it_open(read):
    job = "epochs: 3\nlr: 0.1\ndata:\n  batch_size: ${desk:2,48}\n"
    files = {"go.py": LATE, "ours/__init__.py": OURS, "conf/job.yaml": job}
    assert read(files, "python go.py").batch_size is None
