"""Logs of dead jobs by a hand that did not know the reader: other stacks, launchers and systems than evals/field has.

Every message is written from what its software publicly prints. `python -m evals.strangers OUT --seed N` writes a set,
`python -m evals.field.score OUT` scores it.
"""
