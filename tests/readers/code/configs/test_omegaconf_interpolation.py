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
