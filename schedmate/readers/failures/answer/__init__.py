"""The diagnosis: its class, how sure it is, its quotes, and how the job ended.

`classify` fills in the fields, `quotes` quotes what they rest on, and `confidence` says how often such answers were
right; `user_code` and `similar_samples` add what they can. `known_end` lets an exit code that is known beside the log
speak, with the words of `how_ended`. Where a job was started again and is at work, `before_restart` says why the run
before died. `verify` drops every claim whose quote does not stand in the log, `trail` tells how the first cause was
found. `fatal_end` is for `track`, which only asks whether a job is dead.
"""
