"""`itertools` over what is known."""


def test_products_chains_and_slices(outcome):
    code = "import itertools\nx = [list(itertools.product([1, 2], 'a')), list(itertools.chain([1], (2,)))]\n"
    assert outcome(code) == [[(1, "a"), (2, "a")], [1, 2]]
    code = "from itertools import chain, islice, product\na = list(chain.from_iterable([[1], [2]]))\n"
    code += "x = [a, list(islice([1, 2, 3], 1, None)), len(list(product([1, 2], repeat=3)))]"
    assert outcome(code) == [[1, 2], [2, 3], 8]


def test_what_is_too_large_stays_open(outcome):
    code = "import itertools\nx = 0\nfor a, b in itertools.product(range(4000), range(4000)):\n    x = a\n"
    assert outcome(code) == "unknown"


def test_an_item_is_repeated_as_often_as_is_told(outcome):
    code = (
        "from itertools import repeat\npair = lambda n: lambda v: v if isinstance(v, tuple) else tuple(repeat(v, n))\n"
    )
    assert outcome(f"{code}x = [pair(2)(7), pair(3)((1, 2, 3))]") == [(7, 7), (1, 2, 3)]
    assert outcome("import itertools\nx = 0\nfor x in itertools.repeat(open('n').read()):\n    pass\n") == "unknown"
