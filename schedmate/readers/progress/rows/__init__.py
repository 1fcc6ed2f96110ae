"""What several lines say of one step.

`rows` puts it into one row and keeps a bounded number of them; `writers` keeps the rows of one process where several
write into one log, `newest_run` those of the newest run, and `pass_count` notices how the counter goes on from pass to
pass.
"""
