"""What a log tells of machines before anybody asks for a cause: who ran where, and of whom a sentence speaks.

`rank_hosts` asks where each rank ran; for that `host_lists` reads how schedulers write many hosts and `job_systems` who
ran the job. `subjects` tells of which machine a watcher, a controller or a launcher speaks.
"""
