"""YAML, JSON, TOML and INI text as values that know their lines, broken text as far as it goes."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.configs.plain_toml import has_long_key
from schedmate.readers.code.configs.yaml_text import read_ini, read_json, read_toml, read_yaml
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.value import Unknown, Value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lr: 0.1\n", {"lr": 0.1}),
        ("lr: 1e-4\n", {"lr": 1e-4}),
        ("n: 1_000\n", {"n": 1000}),
        ("amp: yes\ntest: false\n", {"amp": True, "test": False}),
        ("name: '1'\n", {"name": "1"}),
        ("none: ~\nempty:\n", {"none": None, "empty": None}),
        ("a: {b: [1, two]}\n", {"a": {"b": [1, "two"]}}),
        ("base: &b {x: 1}\nmore: *b\n", {"base": {"x": 1}, "more": {"x": 1}}),
        ("base: &b {x: 1}\nmore:\n  <<: *b\n  y: 2\n", {"base": {"x": 1}, "more": {"x": 1, "y": 2}}),
        ("a: |\n  two\n  lines\n", {"a": "two\nlines\n"}),
        ("a: 1\n---\nb: 2\n", {"a": 1}),
        ("a: 1\na: 2\n", {"a": 2}),
    ],
)
def test_yaml(text, expected):
    assert plain(read_yaml(text, "c.yaml")) == expected


def test_each_value_knows_its_line():
    value = read_yaml("# head\noptim:\n  lr: 0.1\n  betas:\n    - 0.9\n", "c.yaml").data["optim"]
    assert (value.data["lr"].src[0].path, value.data["lr"].src[0].line) == ("c.yaml", 3)
    assert value.data["betas"].data[0].src[0].line == 5


def test_text_that_breaks_off_is_read_up_to_there():
    assert plain(read_yaml("lr: 0.1\nnet: [1, 2\nbad: }{\n", "c.yaml"))["lr"] == 0.1


def test_json_may_have_comments_and_trailing_commas():
    assert plain(read_json('{\n  // rate\n  "lr": 1e-3,\n  "amp": true,\n}\n', "c.json")) == {"lr": 1e-3, "amp": True}


@pytest.mark.parametrize("end", ["", "\x00"])  # what YAML refuses goes to JSON
def test_half_a_character_is_replaced_in_keys_and_values(end):
    text = r'{"net\ud83d": "x\udc00", "smile": "\ud83d\ude00"}'
    assert plain(read_json(text.rstrip(end), "c.json")) == {"net?": "x?", "smile": "😀"}


def test_toml_knows_the_lines_of_its_tables():
    value = read_toml('title = "a"\n[train]\nlr = 0.1\n[train.data]\nbatch = 8\n', "c.toml")
    assert plain(value) == {"title": "a", "train": {"lr": 0.1, "data": {"batch": 8}}}
    assert value.data["train"].data["lr"].src[0].line == 3
    assert value.data["train"].data["data"].data["batch"].src[0].line == 5


def test_ini_gives_text_by_section():
    value = read_ini("[train]\nlr = 0.1\n", "c.ini")
    assert plain(value) == {"train": {"lr": "0.1"}}
    assert value.data["train"].data["lr"].src[0].line == 2


def test_aliases_of_aliases_do_not_multiply():
    laughs = "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    last = read_yaml(f"a: &a [x, x]\n{laughs}", "c").data["i"].data
    assert last[0].data is last[1].data


def test_what_is_too_deep_is_not_read_to_its_ground():
    value, depth = read_yaml("[" * 3000 + "]" * 3000, "c"), 0
    while value is not None and isinstance(value.data, list) and value.data:
        value, depth = value.data[0], depth + 1
    assert depth < 500


@given(st.text(max_size=60))
def test_no_text_is_too_odd(text):
    for read in (read_yaml, read_json, read_toml, read_ini):
        assert isinstance(read(text, "c"), Value | None)


@pytest.mark.parametrize("part", ["a", '"a.b"', "'a'"])
def test_a_toml_key_of_more_parts_than_any_file_has_is_refused(part):
    deep, few = (f"{'.'.join([part] * count)} = 1\n" for count in (40, 20))
    assert read_toml(deep, "c.toml") is None
    assert read_toml(f"[{deep.partition(' =')[0]}]\n", "c.toml") is None
    assert read_toml(few, "c.toml") is not None
    assert plain(read_toml(f'words = "{"a." * 9}"\nhosts = ["10.0.0.1", "10.0.0.2"]\n', "c.toml"))["words"] == "a." * 9


def test_dots_in_texts_and_comments_of_toml_are_no_parts_of_a_key():
    dots, text = ".".join("a" * 40), """x = \"\"\"b\"\"\"\"\ny = '''\n{}\n'''\nz = "{}" # {}\nlr = 0.3\n"""
    honest = text.format(dots, dots, dots)
    assert plain(read_toml(honest, "c.toml"))["lr"] == 0.3
    assert not has_long_key(honest)
    for attack in (f"{dots} = 1", f"[[{dots}]]", f'k = ["""b"""", {{{dots} = 1}}, "c"]', f'"#" = {{{dots} = 1}}'):
        assert has_long_key(f"{honest}{attack}\n")


def merging(count):
    base = "base: &b\n  lr: 0.3\n" + "".join(f"  k{number}: {number}\n" for number in range(400))
    return base + "".join(f"e{number}:\n  <<: *b\n  name: x\n" for number in range(count))


def test_what_many_mappings_merge_is_kept_and_past_that_they_are_open():
    assert read_yaml(merging(300), "c.yaml").data["e299"].data["lr"].data == 0.3
    found = read_yaml(merging(1_000), "c.yaml").data
    assert found["e299"].data["lr"].data == 0.3
    assert isinstance(found["e999"].data, Unknown)


def test_a_program_has_no_default_in_place_of_what_was_not_merged(read):
    program = """
        import torch, yaml
        settings = yaml.safe_load(open("c.yaml"))["e999"]
        optimizer = torch.optim.SGD(torch.nn.Linear(2, 3).parameters(), lr=settings.get("lr", 0.9))
        optimizer.step()
    """
    job = read({"go.py": program, "c.yaml": merging(1_000)}, "python go.py")
    assert (job.optimizer, job.learning_rate) == ("SGD", None)


@pytest.mark.parametrize("reader", [read_toml, read_ini])
def test_a_long_name_of_a_table_is_not_kept_with_each_of_its_keys(reader):
    text = f"[{'t' * 100_000}]\n" + "".join(f"k{number} = 1\n" for number in range(2_000))
    tracemalloc.start()
    try:
        found = reader(text, "c")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found.data["t" * 100_000].data) == 2_000
    assert most < 20 << 20


def written_out(value):
    """Count the values of a configuration, one that stands in several places in each."""
    inside = value.data.values() if isinstance(value.data, dict) else value.data if isinstance(value.data, list) else ()
    return 1 + sum(written_out(item) for item in inside)


def test_aliases_add_so_many_values_and_no_more():
    lists = "a0: &a0 [1]\n" + "".join(f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}, *a{i}]\n" for i in range(20))
    found = read_yaml(f"{lists}b: &b [*b, *a3]\nplain: *a4\n", "c.yaml")
    assert written_out(found) < 2 * 100_000
    assert isinstance(found.data["a20"].data[2].data, Unknown)
    assert isinstance(found.data["b"].data[0].data, Unknown)
    assert plain(found.data["plain"]) == plain(found.data["a4"])
    assert plain(found.data["a1"]) == [[1]] * 3
