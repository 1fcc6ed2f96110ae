"""What a line is before it is read.

`chunks` looks at bytes, `encoding` reads two bytes a character, `colours` drops what is left of escapes. `dress` learns
what stands before nearly every line and where lines are cut; `segments` parts bars and prints that share one line.
`said_before` knows which lines are said over and over. `intake` holds what has come and gives whole lines,
`numbered_lines` gives each of them with its number.
"""
