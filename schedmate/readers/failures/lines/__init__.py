"""What a single line of a log is, before anybody asks whether it matters.

`own_prefixes` learns once a log what stands before its lines, and asks `journal_names` whether a journal kept it;
`line_cleaner` takes that off from then on, and `glued_bars` a bar that somebody printed behind. `machine_marks` knows
a line of a kernel or a daemon, `steps` a step of training, `tracebacks` puts a stack together (`folded_stacks` unfolds
one that stands in a single line, `headed_stacks` takes off what stands before each of its lines) and `exceptions`
classes what it raised, `run_boundaries` knows by which words a run begins or ends. `put_in_front` knows a dump that
stands before a job's lines: its clock tells which run it is of.
"""
