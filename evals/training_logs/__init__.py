"""Training logs in the formats of many libraries, by a hand that has not read the reader of progress.

`python -m evals.training_logs OUT --seed N` writes NAME.log files and labels.csv: tables of reinforcement learning, tuners,
validation in the format of training, times without a unit, summaries only, one value a line; rendered anew (indented,
quoted, prefixed, coloured, wrapped) and drowned in noise of kinds that have no step. What each says is known beforehand.
"""
