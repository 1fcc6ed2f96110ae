"""Python's own functions under the names by which code for Python 2 and 3 imports them: `six.moves.range`."""

from schedmate.readers.code.python.builtin_names import BUILTINS
from schedmate.readers.code.values.run import Hook

PLACES = ("six.moves", "builtins", "__builtin__", "past.builtins", "future.builtins", "future.moves.builtins")
SAME = ("range", "zip", "map", "int", "str", "open", "input")
"""Functions that are what they are called today; `xrange` is today's `range`."""

HOOKS: dict[str, Hook] = {
    **{f"{place}.{name}": BUILTINS[name] for place in PLACES for name in SAME if name in BUILTINS},
    **{f"{place}.xrange": BUILTINS["range"] for place in PLACES},
}
