"""What to do about a failure.

`plan` lists the steps as a pure function of the diagnosis, with the commands of `check_commands` and
`cluster_commands`; `headline` says in one line what becomes of the job. `remembered_classes` lets a person's own word
on a failure hold for the next one like it, and plans anew.
"""
