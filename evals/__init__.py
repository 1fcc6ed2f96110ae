"""How good is it: `python -m evals NAME` prints the paper's row beside ours; each file here is one eval.

An eval is a module of this folder with a docstring (its first line is shown in the list) and `run(options) -> Report`;
`add_arguments(parser)` is for those that take some. Folders hold material that evals share.
"""
