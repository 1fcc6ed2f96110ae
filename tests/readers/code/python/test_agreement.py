"""The interpreter held against Python itself: what it knows is what a run gives, and what it cannot know is unknown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.python.modules.modules import execute_module
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import Value, is_unknown
from schedmate.tools.repository import Repository

TEXTS = {
    "operators": [
        "x = [7 // 2, 7 / 2, 7 % 3, 2 ** 5, -7 // 2, 1 << 4, 6 & 3, 6 | 3, 6 ^ 3]",
        "x = ['a' * 3, 'a' + 'b', [1] * 2 + [2], (1,) + (2,), {'a': 1} | {'a': 2, 'b': 3}]",
        "x = [1 < 2 <= 2, 1 == 1.0, 'a' in 'cat', 2 not in [1, 3], None is None, 'b' in {'b': 1}, [1] == [1]]",
        "x = [not 0, not [1], 1 and 2, 0 or 'z', None or [], '' and 1]",
        "x = [3 if 1 > 2 else 4, -(-3), +5, ~6]",
    ],
    "texts": [
        "x = ['{:.2f}'.format(1.5), f'{3:>4}|{\"a\"!r}', '%d of %s' % (1, 'b'), '{a}-{b}'.format(a=1, b=2)]",
        "x = ['A,b'.lower().split(','), ' a '.strip(), '-'.join(['a', "
        "'b']), 'a/b'.rpartition('/'), 'abc'.replace('b', '')]",
        "x = ['train.py'.endswith('.py'), 'abc'[1:], 'abc'[-1], 'a b c'.split()[::2], 'x'.isdigit(), 'Ab'.upper()]",
    ],
    "containers": [
        "a = [1, 2]\nb = a\nb.append(3)\nx = [a, a[1:], a[-1], len(a)]",
        "d = {'a': 1}\nd['b'] = 2\nd.update(c=3)\nx = [d, d.get('z', 9), d.pop('a'), list(d), sorted(d.items())]",
        "a, *b, c = [1, 2, 3, 4]\n(p, q), r = (1, 2), 3\nx = [a, b, c, p, q, r]",
        "d = {}\nd.setdefault('a', []).append(1)\nd.setdefault('a', []).append(2)\nx = d",
        "a = [3, 1, 2]\na.insert(0, 5)\na.extend((7, 8))\ndel a[0]\nx = [a, a.pop(), a]",
        "x = [list(range(5)), list(range(2, 8, 3)), list(zip([1, "
        "2], 'ab')), list(enumerate('ab', 1)), dict(a=1, **{'b': 2})]",
        "x = [sum([1, 2]), max(3, 5), min([4, 2]), sorted([3, 1, 2]), any([0, "
        "1]), all([]), list(map(str, [1, 2])), abs(-2), round(2.567, 1)]",
        "x = [[n * n for n in range(4) if n % 2], {k: v for k, v in [('a', 1)]}, [a + b for a in 'xy' for b in '12']]",
    ],
    "flow": [
        "try:\n    x = int('a')\nexcept (KeyError, ValueError) as e:\n    x = 'caught'\nfinally:\n    y = 1",
        "try:\n    x = 1\nexcept ValueError:\n    x = 2\nelse:\n    x = 3",
        "if (n := 3) > 2:\n    x = n\nelif n:\n    x = -1\nelse:\n    x = 0",
    ],
    "functions": [
        "def f():\n    for n in ['a', 'b', 'c']:\n        if n == 'b':\n            return n\nx = f()",
        "x = sorted(['bb', 'a', 'ccc'], key=len, reverse=True) + sorted([2, 3, 1], reverse=True)",
        "def f(a, b=2, *rest, c=3, **more):\n"
        "    return [a, b, list(rest), c, more]\nx = [f(1), f(1, 5, 6, 7, c=8, d=9), f(*[1, 2], **{'c': 4})]",
        "def outer(n):\n    def inner(m):\n        return n * m\n    return inner\nx = outer(3)(4)",
        "def count():\n    n = 0\n    def up():\n        nonlocal n\n"
        "        n += 1\n        return n\n    return up\nu = count()\nu()\nx = u()",
        "def gen(n):\n    for i in range(n):\n        yield i * 2\nx = list(gen(3))",
        "def deco(f):\n    def g(*a, **k):\n        return f(*a, **k) + 1\n"
        "    return g\n@deco\ndef h(a):\n    return a * 10\nx = h(2)",
        "from functools import partial, reduce\n"
        "f = partial(lambda a, b: a - b, b=1)\nx = [f(5), (lambda *a: sum(a))(1, 2)]",
        "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nx = fact(1)",
        "x = 1\ndef f():\n    global x\n    x = 5\nf()",
    ],
    "classes": [
        "class A:\n    n = 1\n    def __init__(self, m):\n        self.m = m\n"
        "    def get(self):\n        return [self.n, self.m]\n"
        "class B(A):\n    def __init__(self):\n        super().__init__(7)\n        self.n = 2\nx = B().get()",
        "class A:\n    @property\n    def p(self):\n        return 3\n    @staticmethod\n    def s(a):\n"
        "        return a + 1\n    @classmethod\n    def c(cls):\n"
        "        return cls.__name__\nx = [A().p, A.s(1), A.c()]",
        "from dataclasses import dataclass, field, replace, asdict\n@dataclass\nclass R:\n    a: int = 1\n"
        "    b: list = field(default_factory=list)\nr = R(2)\n"
        "r.b.append(1)\nx = [r.a, r.b, replace(r, a=5).a, asdict(r), R().b]",
        "from enum import Enum\nclass E(Enum):\n    A = 'a'\n"
        "    B = 'b'\nx = [E.A.value, E['B'].name, E('a') == E.A, [e.value for e in E]]",
        "class C:\n    def __call__(self, n):\n        return n + 1\n    def __len__(self):\n"
        "        return 4\n    def __getitem__(self, k):\n        return k * 2\nc = C()\nx = [c(1), c[3]]",
        "class A:\n    pass\na = A()\nsetattr(a, 'n', 3)\nx = [getattr(a, 'n'), isinstance(a, A)]",
        "class M:\n    def __enter__(self):\n        return 5\n"
        "    def __exit__(self, *a):\n        return False\nwith M() as m:\n    x = m",
    ],
}


TEXTS["cases"] = [
    "match ['fit', 3]:\n    case ['test', _]:\n        x = 1\n    case ['fit', n]:\n        x = n",
    "match ('fit', 'vit'):\n    case (_, m) if m.startswith('r'):\n        x = 1\n"
    "    case (_, m) if m.startswith('v'):\n        x = m",
    "match 'fit':\n    case ('fit' | 'train') as k:\n        x = k\n    case other:\n        x = 2",
    "match 7:\n    case [a, b]:\n        x = 1\n    case n if n > 9:\n        x = 2\n    case n:\n        x = n",
    "class K:\n    A = 'a'\nmatch 'a':\n    case K.A:\n        x = 1\n    case _:\n        x = 2",
]


OPEN = [
    "match [1, 2, 3]:\n    case [first, *rest]:\n        x = first",
    "x = 0\nfor n in range(5):\n    if n == 3:\n        break\n    x += n",
    "x = []\nfor n in range(4):\n    if n % 2:\n        continue\n    x.append(n)\nelse:\n    x.append('end')",
    "x = 0\nwhile x < 7:\n    x += 2",
    "match {'mode': 'fit', 'n': 3}:\n    case {'mode': 'test'}:\n        x = 1\n"
    "    case {'mode': 'fit', 'n': n}:\n        x = n\n    case _:\n        x = 2",
    "class C:\n    def __len__(self):\n        return 4\nx = len(C())",
    "class A:\n    pass\na = A()\na.n = 3\nx = [getattr(a, 'z', 4), hasattr(a, 'z'), vars(a)]",
]
"""What is not followed to its end, such as long loops: unknown in part, and never wrong."""


def by_python(text):
    names = {"__name__": "__main__"}
    exec(compile(text, "main.py", "exec"), names)  # noqa: S102 - programs of this file alone
    return names


@pytest.mark.parametrize("text", [text for texts in TEXTS.values() for text in texts])
def test_what_is_known_is_what_python_gives(outcome, text):
    assert outcome(f"{text}\n") == by_python(text)["x"]


@pytest.mark.parametrize("text", OPEN)
def test_what_is_not_followed_to_its_end_is_not_guessed(follow, text):
    run, names = follow(f"{text}\n")
    value = known(run, names["x"])
    assert value is None or value == by_python(text)["x"]


NAMES = st.sampled_from("abc")
ATOMS = st.one_of(
    st.integers(-3, 9).map(str), st.sampled_from(["True", "None", "'t'", "''", "1.5", "[1, 2]", "{'k': 3}"])
)


def combined(inner):
    return st.one_of(
        st.tuples(
            inner, st.sampled_from(["+", "-", "*", "//", "%", "<", "==", "!=", ">=", "and", "or", "in", "is"]), inner
        ).map(lambda one: f"({one[0]} {one[1]} {one[2]})"),
        st.tuples(inner, inner, inner).map(lambda one: f"({one[0]} if {one[1]} else {one[2]})"),
        inner.map(lambda one: f"(not {one})"),
        st.lists(inner, max_size=3).map(lambda some: f"[{', '.join(some)}]"),
        st.tuples(inner, inner).map(lambda one: f"{one[0]}[{one[1]}]"),
        inner.map(lambda one: f"str({one})"),
        inner.map(lambda one: f"len({one})"),
    )


EXPRESSIONS = st.recursive(st.one_of(ATOMS, NAMES), combined, max_leaves=5)


def indented(lines):
    return "".join(f"    {line}\n" for line in lines.splitlines())


def compounds(block):
    return st.one_of(
        st.tuples(EXPRESSIONS, block, block).map(
            lambda one: f"if {one[0]}:\n{indented(one[1])}else:\n{indented(one[2])}"
        ),
        st.tuples(NAMES, st.integers(0, 3), block).map(
            lambda one: f"for {one[0]} in range({one[1]}):\n{indented(one[2])}"
        ),
        st.tuples(NAMES, block, EXPRESSIONS).map(
            lambda one: f"def f(a, b=1, c=2):\n{indented(one[1])}    return {one[2]}\n{one[0]} = f(3)\n"
        ),
    )


ASSIGNED = st.one_of(
    st.tuples(NAMES, EXPRESSIONS).map(lambda one: f"{one[0]} = {one[1]}\n"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda one: f"{one[0]} += {one[1]}\n"),
)
BLOCKS = st.recursive(st.lists(ASSIGNED, min_size=1, max_size=3).map("".join), compounds, max_leaves=4)
PROGRAMS = st.lists(BLOCKS, min_size=1, max_size=3).map(lambda some: "a, b, c = 1, 'u', [4]\n" + "".join(some))


def followed(folder, text):
    (folder / "main.py").write_text(text)
    run = new_run(Repository(folder), [Value("main.py")])
    module = Module("main", "main.py", ".", is_main=True)
    execute_module(run, module)
    return run, module.vars


def known(run, value):
    """Give a value as plain data; None where it is not known whole."""
    if is_unknown(value) or not run.has_known_length(value):
        return None
    try:
        return plain(value)
    except LookupError:
        return None


@given(PROGRAMS)
@settings(max_examples=150)
def test_no_program_is_understood_wrongly(tmp_path_factory, text):
    try:
        names = by_python(text)
    except Exception:
        return
    run, found = followed(tmp_path_factory.mktemp("p"), text)
    for name in "abc":
        value = known(run, found.get(name))
        assert value is None or (type(value), value) == (type(names[name]), names[name]), text


@given(PROGRAMS, st.booleans())
@settings(max_examples=100)
def test_a_condition_that_is_not_known_leaves_both_ways_open(tmp_path_factory, text, flag):
    try:
        names = by_python(text) if flag else {"a": 7, "b": 8, "c": 9}
    except Exception:
        return
    whole = f"a, b, c = 7, 8, 9\nimport somewhere\nif somewhere.flag():\n{indented(text)}"
    run, found = followed(tmp_path_factory.mktemp("p"), whole)
    for name in "abc":
        value = known(run, found[name])
        assert value is None or value == names[name], text
