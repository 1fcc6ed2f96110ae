"""Allow `python -m schedmate`; unlike `schedmate`, Python itself has then looked into the working directory."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # what is imported from here on is not looked for among the user's files

from schedmate.cli import main

main()
