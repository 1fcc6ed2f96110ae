"""What programs find in the repository's folders."""

from itertools import product

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.python.modules.modules import execute_module
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.scopes import Module
from schedmate.tools.repository import Repository

WIDE, DEEP = 3, 4


class Counting(Repository):
    """Counts the folders that are listed."""

    listed = 0

    def list_folder(self, path=".", most=10_000):
        self.listed += 1
        return super().list_folder(path, most)


def test_a_pattern_of_many_stars_looks_at_each_folder_once(write):
    leaves = ["/".join(names) for names in product("abc"[:WIDE], repeat=DEEP)]
    files = {f"{leaf}/train.yaml": "lr: 1" for leaf in leaves}
    stars = "/".join(["**", "*"] * 5)
    text = (
        f"import glob\nplain = glob.glob('**/*.yaml')\nmany = glob.glob('**/**/**/*.yaml')\nodd = glob.glob('{stars}')"
    )
    repository = Counting(write({"main.py": text, "top.yaml": "lr: 1", **files}))
    module = Module("main", "main.py", ".", is_main=True)
    execute_module(new_run(repository, []), module)
    found = plain(module.vars["plain"])
    assert sorted(found) == sorted(["top.yaml", *(f"{leaf}/train.yaml" for leaf in leaves)])
    assert plain(module.vars["many"]) == found
    folders = sum(WIDE**level for level in range(DEEP + 1))
    assert repository.listed < folders * 15
