"""Kaldi's `parse_options.sh`, which the recipes of many speech toolkits source: `--some-name x` sets `$some_name`."""

import posixpath

from schedmate.readers.code.shell.interpreter import ShellInterpreter
from schedmate.readers.code.shell.scripts import locate, source_script


def is_option_parser(name: str) -> bool:
    """Tell Kaldi's script by its name, under which it is copied or linked into recipes."""
    return posixpath.basename(name) == "parse_options.sh"


def take_options(one: ShellInterpreter) -> None:
    """Set a variable for each leading option of the script's arguments; files behind `--config` come first."""
    arguments = one.names.arguments
    for option, value in zip(list(arguments), arguments[1:], strict=False):
        path = locate(one, str(value.data)) if option.data == "--config" else None
        if path is not None:
            source_script(one, path, [])
    while len(arguments) > 1 and str(arguments[0].data).startswith("--"):
        name = str(arguments[0].data)[2:].replace("-", "_")
        if not name.isidentifier():
            break
        one.set(name, arguments[1])
        del arguments[:2]
