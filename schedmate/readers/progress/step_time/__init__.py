"""How long a step takes: each way to know it is `evidence`, and `step_time` weighs them.

`sources` reads what is printed, what rates say, and what clocks and counters say together (`slopes`, `running_clock`).
`newest_time` tells a new pace from one pause, `borne_out` holds it against the clocks; `running_mean` and `pass_mean`
tell a mean over many steps from one step's time. `bare_time` reads a `time` that says no more, `time_left` what an
estimate of the end tells, `things` what a step takes: samples, or the tokens they are made of; `counted` what a counter
counts that disagrees with the time printed beside it; `between_passes` finds passes that a log leaves out; `usual` says
how long steps mostly last.
"""
