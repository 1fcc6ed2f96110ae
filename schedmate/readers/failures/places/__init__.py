"""Where the fault was: rank, host, GPU, port.

`faulty_parts` is called with the first cause. It asks `rank_hosts` where each rank ran (`host_lists` reads how
schedulers write many hosts, `job_systems` who ran the job) and `machine_log` for what the machine itself said of the
same fault; `told_hosts` finds whose log a dump is, `subjects` of which machine a watcher or a controller
speaks. `part_words` tells whether a line speaks of a part at all.
"""
