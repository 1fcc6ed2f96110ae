"""Which lines are worth weighing, and what each of them is by itself.

`scan` goes over the whole log once and makes a `sighting` of each line that an entry knows (`catalogue_search`), that
is a traceback or that reads like an error. `daemon_lines` (which asks `machine_trouble` about words
that nobody knows; `with_daemons` puts both together) and `last_lines` add what only counts at its place. Then
lines are seen together: `exception_chains` for what led to what, `launcher_reports` for an end that is told by a code,
`unknown_lines` for what no entry knows; `stack_lines` drops what merely stands in a stack, and `loudness` tells a
statement from a warning, by `quoted_samples` from a piece of data and by `doing_without` from what a program
says that it does instead. `plain_words` knows of what the words of a line
speak that no entry knows; it is asked where all else leaves an end open.
"""
