"""The training loop that is followed.

`loop` takes its lines one by one and keeps its steps, `units` says what they are weighed by; `choosing` says from when
a loop is followed and for how long it may be chosen anew, `proof` whether the log speaks of training at all. `passes`
tells how far a run has to go, `ends` where it ends, as its command or its code say.
"""
