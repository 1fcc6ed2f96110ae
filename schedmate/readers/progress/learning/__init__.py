"""Formats that were written for this log, by a person or a model.

`examples` shows a log by a few of its lines, `trial` puts a pattern to the test on the log's own lines before it is
believed, and `learned` keeps what passed, as files in the user's directory.
"""
