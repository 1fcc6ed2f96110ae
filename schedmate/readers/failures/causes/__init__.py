"""Which of all sightings is the first cause.

A `suspect` is a line and how much speaks for it. `suspects` weighs each by its entry, its loudness and what became of
it, with `reasons` for what says why, `stalls` for since when ranks waited in vain, `killed_strangers` for whom the
kernel killed beside the job, `differing_collectives` for ranks that waited in different calls, `early_leavers` for
those whose data ended before others', `tries_without_end` for what was tried again until the log ends,
`failed_transfers` for what a program's tries met before it gave up on a transfer,
`uncatalogued_trouble` for what daemons say in words of their own and `others_pods` for rows of tables that tell of
others. `first_cause` chooses among them by the rules of `precedence` and `looking_back`; `dead_threads` knows whose
end left all others waiting, `never_came` who never joined them. `same_fault` walks back to the line that stated it
first (`same_file` where it became of a file), `every_try` to the first of several runs that the job's own starter
began in vain, `watched_parts` to a watcher's first word of the part, `numbered_tries` to the first try of what never
came, `said_above` to why NCCL gave up or which key was pressed, `last_words` to what a program said before it left,
`told_parts` to the network's own word of the part that failed, `met_by_program` from what a driver only noted to the
exception by which the program met it. Where only effects are known `heralds` looks for a
daemon's word before them, and `stated_in_words` for anybody's, among those that `plain_statements` finds.
`proofs_of_health` finds the line that proves that the job ended well, if one does. `paper_locator` and
`paper_verdict` do it as the paper does, to compare.
"""
