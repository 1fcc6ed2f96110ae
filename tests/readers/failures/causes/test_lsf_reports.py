"""LSF's report tells where a job ran before it tells how it ended: only the latter states a cause."""

import pytest

import schedmate

STEPS = [
    f"[14:06:{at:02}] - [step: {100 * at:6}] loss: 4.9{at:02}e-03, time/iteration: 5.1e+01 ms" for at in range(5, 50)
]
REPORT = """
------------------------------------------------------------
Sender: LSF System <lsfadmin@login2>
Subject: Job 17046: <tides> in cluster <east> Exited

Job <tides> was submitted from host <login3> by user <ada> in cluster <east> at Thu Jul 25 11:40:02 2030
Job was executed on host(s) <4*node01>, in queue <batch>, as user <ada> in cluster <east> at Thu Jul 25 12:07:35 2030
</home/ada> was used as the home directory.
Started at Thu Jul 25 12:07:35 2030
Terminated at Thu Jul 25 14:07:35 2030
Results reported at Thu Jul 25 14:07:35 2030

Your job looked like:

------------------------------------------------------------
# LSBATCH: User input
bash tides.sh
------------------------------------------------------------

TERM_RUNLIMIT: job killed after reaching LSF run time limit.
Exited with exit code 140.

Resource usage summary:
""".splitlines()


@pytest.mark.parametrize(
    "warned",
    [[], ["User defined signal 2"], ["User defined signal 2", "[ERROR] jsrun: received signal 12, forwarding"]],
)
def test_the_limit_is_the_cause_whoever_passes_its_signal_on(tmp_path, warned):
    log = tmp_path / "tides.log"
    lines = [*STEPS, *warned, *REPORT]
    log.write_text("\n".join(lines) + "\n")
    answer = schedmate.diagnose(log)
    assert (answer.category, answer.failure_id) == ("other", "scheduler.other_time_limit")
    assert lines[answer.root_line - 1].startswith("TERM_RUNLIMIT")
