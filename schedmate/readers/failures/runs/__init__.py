"""Where one run ends and the next begins, in a log that holds several.

`appended_runs` finds runs with nothing between them, `next_programs` those of a script that goes on when a program
fails (`counted_again` compares their steps, `bars` knows those that only move or draw what was made), `unread_scripts`
those of a script that could not be read before, `behind_misuse` what ran behind a program that refused its arguments,
`failed_early` what a launcher began once more and made no step,
`begun_anew` those whose steps begin anew or are resumed, `attempts` cuts the log there and where it says so itself; the
last run that counts is diagnosed. `joined_files` knows files of one run that were joined, and asks `joined_parts`
whether they lie side by side in time; `blocks_of_names` knows those without headings. `last_runs` tells a last run that
did more than begin.
`last_save` finds what a run had saved, for reports on many jobs.
"""
