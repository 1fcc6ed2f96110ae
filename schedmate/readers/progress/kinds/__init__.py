"""Lines of one kind: a log says them again and again, with other numbers.

`kinds` keeps the latest of each; `shapes` thinks about each template once: `assign_roles` settles what its numbers are
together, `apart` and `losses` tell values and losses of one line from each other, `letters` reads counters that are
called by one. `work` says what a line is about, training or else; `episodes` reads loops that learn by acting.
"""
