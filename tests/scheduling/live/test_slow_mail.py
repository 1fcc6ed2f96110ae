"""Mail through a real server: it arrives, and a server that is silent keeps neither the loop nor the jobs waiting."""

from tests.scheduling.recovery.mail_server import mail_server

BUG = "config = {}\nprint('step 1/9 loss 2.0')\nprint(config['lr'])\n"


def start(make_up, folder, address, limit_s):
    rules = folder / "rules.toml"
    rules.write_text(f"[notify]\nsmtp = '{address}'\nlimit_s = {limit_s}\n")
    up = make_up("--slots", "cpu=1", "--mode", "act", "--rules", str(rules))
    (up.work / "train.py").write_text(BUG)
    return up, up.submit("train.py", user="bea")


def test_the_owner_gets_a_mail_with_the_line_that_raised(make_up, tmp_path):
    with mail_server() as (server, address):
        up, bug = start(make_up, tmp_path, address, 120.0)
        up.until(lambda: ("notify", "done") in up.actions(bug))
    ((_, to, text),) = server.mails
    assert to == ["rcpt TO:<bea>"]
    for words in ("Error type: python.key_error (script)", "KeyError: 'lr'", "What was done:", "train.py:3"):
        assert words in text


def test_a_silent_server_keeps_nobody_waiting(make_up, tmp_path):
    with mail_server("silent") as (_, address):
        up, bug = start(make_up, tmp_path, address, 600.0)
        up.until(lambda: ("notify", "started") in up.actions(bug))
        others = [up.submit("print('step 1/1')") for _ in range(3)]
        up.until_state("completed", jobs=others)
        assert ("notify", "started") in up.actions(bug)
        assert up.store.job(bug).state == "held"
        up.kill()
