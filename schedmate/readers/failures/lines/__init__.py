"""What a single line of a log is, before anybody asks whether it matters.

`journal_names` says once a log whether a journal kept it, and `line_cleaner` takes its lines' prefixes off from then
on. `steps` knows a step of training, `tracebacks` puts a stack together and `exceptions` classes what it raised,
`run_boundaries` knows the words by which a run begins or ends.
"""
