"""Follow Python source without running it: values that are known are carried on, the rest is unknown and stays so.

`interpreter` holds `statements`, `expressions` and `calls` together. `modules` leads from a file's text to what an
import means, `builtins` gives what Python's own functions make of known values, `rounds` tells how often a loop runs.
"""
