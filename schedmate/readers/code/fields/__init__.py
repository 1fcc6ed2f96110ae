"""What the followed program shows of each field, with the places that say so, or nothing.

A folder a subject: which network, on which data, in what batches, for what length, at which rates, on what devices, for
what task; `words` is what several of them ask. `rules` lists all who propose values. Beside it lies what is of no one
subject: does it train at all, settings that nobody was seen to use, trainers and loops of libraries that nobody knows.
"""
