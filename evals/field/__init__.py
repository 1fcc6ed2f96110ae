"""Logs of whole cluster jobs, written by a hand that knows clusters and has not read the reader of logs.

`python -m evals.field OUT --seed N` writes NAME.log files and labels.csv. Every job is a story: hosts and processes with
clocks and pipes of their own, healthy work, one fault whose words carry a mark, what the others say when they lose a
peer, and what launcher, scheduler and kernel add. The place of the mark in the written file is the label.
"""
