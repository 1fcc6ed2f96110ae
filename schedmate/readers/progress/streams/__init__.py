"""Which kind of line is the training loop's.

`streams` chooses it: the counter rises while something is learnt; `no_loops` tells what counts and is none.
`counters` finds that counter where no name tells it, `unnumbered` lines of one step each that have none,
`mute_rows` the loss in rows without a word, `nameless_clock` a clock that nothing marks, `costs` the time among what a
pass cost, `only_evaluated` the steps of who tells of them only when it evaluates.
`related_streams` says which other kinds tell of the same steps, `bars` what bars tell of each other, `sections` which
part of the log is an evaluation printed as training is.
"""
