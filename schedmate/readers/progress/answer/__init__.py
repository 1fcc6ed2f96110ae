"""How the loop is getting on.

`answer` gives the step time by all evidence and the quotes that it rests on, `remaining` what is left, as an interval.
`own_clock` is the watcher's, for stalls and for logs that print no speed; `slowdown` compares the speed before and
after a moment; `pace` notes for both when the counter moved.
"""
