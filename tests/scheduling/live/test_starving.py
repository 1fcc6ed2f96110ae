"""One job cannot starve the loop, whatever it writes and starts: others are begun, asked of and ended meanwhile."""

FLOOD = """
import os, sys, time
for _ in range(6):
    if os.fork() == 0:
        os.setsid()
        break
text = b"".join(b"step %d/9 loss 0.%d Traceback (most recent call last): Error: x\\n" % (n, n) for n in range(2000))
text += b"x" * 200_000 + bytes(range(256)) * 400
left = 60 << 20
while left > 0:
    left -= os.write(1, text)
while True:
    pass
"""


def test_a_job_that_floods_its_log_and_forks_keeps_nobody_waiting(make_up):
    up = make_up("--slots", "cpu=3", "--mode", "act")
    flood = up.submit(FLOOD)
    up.until(lambda: (up.data_dir / "jobs" / str(flood) / "1" / "job").exists())
    others = [up.submit(f"print('step {number}')") for number in range(6)]
    up.until_state("completed", jobs=others)
    dead = up.submit("print('step 1 loss 2')\nraise KeyError('lr')")
    up.until_state("held", jobs=[dead])
    assert up.store.job(flood).state == "running"
    assert up.ask("standing", flood).data is None
    assert up.ask("cancel", flood).words == f"job {flood} is being stopped"
    up.until_state("cancelled", jobs=[flood])
