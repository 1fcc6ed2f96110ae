"""How a training job is getting on, read from its log without a model: by known formats, and by a general reader.

A log goes through the folders in this order; each imports only from those before it (`test_floors.py` keeps that):

`lines`      what a single line says: its numbers with their names and units, its time stamp, a table's cells
`text`       what a line is before it is read: bytes, colours, what stands before every line, bars glued to prints
`kinds`      lines that differ in numbers alone: what each of their numbers is, and of what work they tell
`streams`    which kind of line is the training loop's, and which others tell of the same steps
`rows`       what several lines say of one step, kept as one row of plain numbers
`step_time`  each way to know how long a step takes, weighed against the others
`loop`       the loop that is followed: its rows, how far it has to go, whether it is training at all
`answer`     step time, what is left, and the quotes they rest on
`learning`   formats that a person or a model has written, tried on the log before they are believed

`reading` puts a log's lines through these; `tracker` feeds it a log that grows, `whole` one in a file, `watch`
many at once. `paper` is the paper's own filter, to compare.
"""
