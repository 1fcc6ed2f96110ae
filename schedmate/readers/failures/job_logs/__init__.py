"""Which files are the logs of one job.

Called first, with what the user named: `log_files` lists the files of a folder, `folder_jobs` sorts them into jobs by
what `log_names` takes from their names and `head_and_tail` from their two ends.
"""
