"""What explains the differences, and what of the paper cannot be had."""

LUCID = (
    "Both are played under honest accounting: profiling comes before the queue, programs warm up for 60 s (median, "
    "lognormal, spread 1), which the profiler takes for being light, and a job that is parted loses what it has not "
    "saved (60 % save, every 30 min). A job's like is found for 80 %, something else is taken for it for 5 %.",
    "`measured` is Lucid's own table of pairs on Venus, and its means by sharing score elsewhere: by it two of the "
    "heaviest programs together do 1.5 times the work of one, so packing what ought not to be packed costs nothing and "
    "there is next to nothing to cancel. `heavy` shares a GPU by load: two that keep it busy run at half speed each.",
    "At most: Lucid over the mean run time. No scheduler passes it without making programs faster than alone; where it "
    "is below the paper's 1.23, that figure cannot be had on this trace as it was published.",
    "Where the trace has jobs of 256 to 1,024 GPUs, Lucid lets smaller ones pass them until the trace has run dry; "
    "nothing that SchedMate adds to it concerns them. In the row `-64` jobs are cut to 64 GPUs, as on its testbed.",
    "Pairs above Lucid's capacity are tried only where there is no room, and no longer once five of them went badly; "
    "without cancellation nobody could afford to try.",
    "Philly as PCS kept it names neither users nor jobs: nothing can be similar there, and only cancellation counts.",
)
SIA = (
    "An earlier workload of the same trace has ended before; `nothing before` begins with an empty history. What was "
    "borrowed is given up when the first step of one's own takes 1.5 times as long as expected, or as short.",
    "Step times of the T4 nodes are measured, those of the other kinds fitted, as in `python -m evals fidelity`; the "
    "paper does not say how many of its jobs found their like.",
    "newtrace is played for its first 12 hours only.",
)
STANDALONE = (
    "Jobs that failed and were sent again are one job that is interrupted. Of all failures 11 %, with 82 % of the GPU "
    "time that failures took, are the cluster's, as Acme reports; a person resumes them after the time named, "
    "everywhere. The handler resumes after 5 minutes what `diagnose` recognises, and restarts in vain what it "
    "mistakes, both as measured in this run on logs of `evals.field`.",
    "The paper's standalone form is shortest job first without preemption; ours is the policy `schedmate` of this "
    "version. How long resumption took in the paper's trace it does not say, so three times are shown.",
    "The paper sampled Acme from June to August 2023; these traces are made to Acme's published shares and means.",
)
OTHER_EVALS = (
    ("Fig. 14: errors of duration estimates", "85.7 % within 100 %; Lucid 27.7 %", "`python -m evals duration mars`"),
    (
        "Table 4: infrastructure failures",
        "F1 67.7 %, precision 75.7 %, accuracy 90.1 % (7B)",
        "`python -m evals failures`",
    ),
    ("Fig. 15a, b: step times in noise", "84.3 % right, RMSRE 0.42", "`python -m evals metrics DIR`"),
    ("Fig. 11: fidelity of the simulator", "3.7 % off its physical cluster", "`python -m evals fidelity DIR`"),
)
ABSENT = (
    ("Mars (Fig. 14, Table 4, Fig. 16)", "never published; logs and jobs made to its description stand in for it"),
    ("Table 2: 64 A800 GPUs, 82 jobs", "neither the machines nor the list of jobs are public"),
    ("Saturn as a job log (Fig. 12)", "only Sia's samples of it are at hand, without durations; see Table 3"),
    (
        "Acme's job logs (Fig. 12, 13)",
        "the files at hand are its first 800 Kalos jobs and roll-ups; the rest is made to them",
    ),
    ("Table 1: interference of its programs", "no speeds of pairs were published; two declared tables stand in for it"),
    (
        "Fig. 17: seven language models",
        "needs their weights on GPUs; `python -m evals played-models` plays answers instead",
    ),
    (
        "Fig. 16: jobs an hour by GPUs",
        "needs the model on GPUs; without one, reading a job takes milliseconds of one core",
    ),
)
