"""What became of each sighting: got over, undone, printed late, or the end itself.

`outcomes` asks the others and is what `causes` calls. `survived` looks for progress and ordinary output behind a
line, `said_amid` for whose lines stand in the middle of its stack, `said_beside` for what the lines next to it say
was done about it, `notices` for what a notice between rulers says of it, `recovered_parts` for a part that says that it
is back, `pod_events` for a pod that started all the same,
`shell_setup` for what a shell missed and nobody needed, `old_news` for what had been said and outlived several times,
`dying_helpers` for helpers that die all the time,
`killed_commands` tells a program that a signal ended from a helper, `long_before` rows of other months,
`records_of_boots` what a machine that came up tells of its last crash, `other_trials`
trials of a tuner that work on, and `bars_drawn_again` leaves out bars that stand still.
What stands behind a line may have happened before it: in a process's buffer (`late_output`, and `buffers_in_turn` for
those of several) or in a kernel's log that was appended (`kernel_dumps`, which `dump_clocks` places on the job's time
line). `ordinary_lines` knows what says nothing of failing or ending.
"""
