"""What a single line says.

`tokens` cuts it into numbers, words and marks, with a `cursor` to look around in them; `phrases` and `marks` tell what
parts names from values, `spans` for how many steps a time is, `translated` reads words of other languages as English
ones. `units` and `quantities` read one value, `names` tells what it is, `grammar` puts pairs together into a
`parsed_line`; tables are read by `columns`, with `known_tables` for those that say no units. `clocks` finds the time
stamp, `stamp_lines` lines that say nothing else, `head` where the message begins behind all that, and `cut_line` the
number that a log's last line was cut in. `fields` keeps what is known of a line's template. `formats` are the known
ones, as data. `options` tells those of a command from counters, `settings_said` keeps what a run was set to,
`pass_length` tells how many steps a pass is said to have.
"""
