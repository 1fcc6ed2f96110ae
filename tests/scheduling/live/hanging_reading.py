"""A reader that never answers, as one that waits for a model server."""

import sys

sys.stdin.readline()
sys.stdin.read()
