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
    "On Venus as published a single draw can lose one or two per cent with all parts together: who comes 200 s earlier "
    "gets the place for which another then waits for days. In the mean of draws they gain a little.",
    "Philly as PCS kept it names neither users nor jobs: nothing can be similar there, and only cancellation counts.",
)
DETECTION = (
    "The paper parts below 0.5, by what its programs did to each other; shared by load no pair falls below half its "
    "speed, and nothing would be parted, so here pairs are parted below 0.65.",
    "Less is gained than the paper's 12.5 % where few jobs are slowed down that much: Lucid already keeps what it "
    "takes for heavy apart, and only what warmed up too long to look heavy is left to part.",
)
SIA = (
    "An earlier workload of the same trace has ended before; `nothing before` begins with an empty history. What "
    "was borrowed is given up when a GPU computes for 1.5 times as long as expected, or as short. Until its first step "
    "who has no like is placed by what ended jobs of all applications gained on average.",
    "Step times of the T4 nodes are measured, those of the other kinds fitted, as in `python -m evals fidelity`; "
    "the paper does not say how many of its jobs found their like.",
    "Less is gained than in the paper, which counts a run on each kind of GPU before each job; in Sia's own "
    "simulator a job begins on one GPU and at most doubles what it has tried, and only these first rounds are "
    "saved. `trials counted` adds such runs: who has no like loads once for each kind of GPU and takes 20 s of steps "
    "there (assumed; the paper does not say how long), one after the other, on the GPUs that it begins on.",
    "Our Sia is faster than the paper's on philly and saturn (one workload of each, whose number the paper does not"
    " name) and slower on newtrace, of which all 960 jobs of 48 hours are played; a makespan of 12.5 h cannot "
    "be that of so many hours (the first 12 of them here: 0.584 h, and -13.2 % with hits of 0.8 and 5 % wrong).",
    "`time left too` gives Sia more than the paper did: what its like did in all, and what 61 % of logs tell after "
    "three minutes, both with the errors of `python -m evals remaining`. A move counts for what is left after loading, "
    "and who is soon done weighs more, within bounds. All trainings of a program do the same work here, as real ones "
    "do not; the errors stand for that. Where every match is wrong no log tells either.",
    "One workload decides by chance: a few jobs have half of the average, and the last bit of a fit moves it by 4 % "
    "(`--workloads` plays several). A wrong match costs only the like that it stands for, since a job's own first "
    "step belies it.",
)
ESTIMATES = (
    "Mars was never published: 500 jobs made to its description stand in for it, from an empty history on, so the "
    "paper's figures are a mark and no comparison.",
    "Whoever knows the law that these jobs are drawn from is within 100 % for about as many as the paper's advisor:"
    " the rest fail or are cancelled at random, and nothing that is known beforehand tells which.",
    "GA2M and LightGBM have no answer until 200 jobs have ended, and no answer counts as wrong.",
    "GPU utilisation is nearer to the truth than in the paper, the profiler's too, because both noises are this "
    "set's own.",
)
SCALING = (
    "The paper's advisor asks a model of 14B on one to four GPUs; ours reads jobs of one code base too (240 "
    "modules, 5,400 lines where the paper's has 40,000) without a model, in processes that need no GPU: hundreds of"
    " times as many.",
    "More processes than cores read no faster, as more jobs at once do on one GPU of the paper.",
    "With a model, its server is the limit, as in the paper; `python -m benchmarks advise` plays one of 1.5 s a reply.",
)
STANDALONE = (
    "Jobs that failed and were sent again are one job that is interrupted. Of all failures 11 %, with 82 % of the "
    "GPU time that failures took, are the cluster's, as Acme reports; a person resumes them after the time named, "
    "everywhere. The handler resumes after 5 minutes what `diagnose` recognises, and restarts in vain what it "
    "mistakes, both as measured in this run on logs of `evals.field`.",
    "The paper's standalone form is shortest job first without preemption; ours is the policy `schedmate` of this "
    "version. How long resumption took in the paper's trace it does not say, so three times are shown: resumed at "
    "once there is nothing for the handler to save, after eight hours it saves a quarter to a half, and the "
    "paper's 12.5 % lie between.",
    "`qssf` loses by more than in the paper because these traces have jobs as large as the cluster, and a queue "
    "that stops at the first job without room waits for them.",
    "The paper sampled Acme from June to August 2023; these traces are made to Acme's published shares and means.",
)
OTHER_EVALS = (
    (
        "Table 4: infrastructure failures",
        "F1 67.7 %, precision 75.7 %, accuracy 90.1 % (7B)",
        "`python -m evals failures`",
    ),
    ("Fig. 15a, b: step times in noise", "84.3 % right, RMSRE 0.42", "`python -m evals metrics DIR`"),
    ("Fig. 11: fidelity of the simulator", "3.7 % off its physical cluster", "`python -m evals fidelity DIR`"),
)
ABSENT = (
    ("Mars itself (Fig. 14, Table 4, Fig. 16)", "never published; logs and jobs made to its description stand in"),
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
    ("Fig. 12a to c, 13 right: curves", "no values are printed; ours are drawn by `schedmate simulate --plot`"),
    ("Fig. 2 and 9: traces and logs as they are", "they describe the authors' data; `schedmate trace describe`"),
)
