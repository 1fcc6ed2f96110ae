"""What a single line of a log is, before anybody asks whether it matters.

`own_prefixes` learns once a log what stands before its lines, and asks `journal_names` whether a journal kept it;
`line_cleaner` takes that off from then on. `steps` knows a step of training, `tracebacks` puts a stack together and
`exceptions` classes what it raised, `run_boundaries` knows the words by which a run begins or ends.
"""
