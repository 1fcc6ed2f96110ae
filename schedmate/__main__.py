"""Allow `python -m schedmate`."""

from schedmate.cli import main

main()
