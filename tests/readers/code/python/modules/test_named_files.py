"""Files of the repository that a program names: which file a path means, and `open`."""


def test_lines_of_large_files_are_not_gone_over(outcome):
    code = "x = 0\nfor line in open('c.txt'):\n    x = line\n"
    assert outcome(code, "", {"c.txt": "a=1\n" * 100_000}) == "unknown"
