"""Arithmetic and comparisons on known values, within bounds that a hostile program cannot widen."""


def test_a_list_is_no_text(outcome):
    code = "import argparse\na = argparse.Namespace(fast='True', sets='A+B')\na.sets = a.sets.split('+')\n"
    code += "for n in vars(a):\n    if vars(a)[n] == 'True':\n        vars(a)[n] = True\n"
    assert outcome(code + "x = [a.fast, a.sets]\n") == [True, ["A", "B"]]
