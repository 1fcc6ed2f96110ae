"""Where the fault was: rank, host, GPU, port.

`faulty_parts` is called with the first cause. It asks where each rank ran and of whom a sentence speaks (`hosts`), and
`machine_log` for what the machine itself said of the same fault; `told_hosts` finds whose log a dump is and at whose
prompt it was asked for, `stated_parts` how drivers and controllers name the part that they report. `part_words` tells
whether a line speaks of a part at all.
"""
