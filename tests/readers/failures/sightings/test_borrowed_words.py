"""What a machine's keeper would say counts in its own form only: programs drain queues, heat metals, have quotas."""

import pytest

from schedmate import diagnose

STEPS = [f"iter {step} of 900, loss 1.{step:03d}" for step in range(12)]


def raised(error, code="fit(options)"):
    return [
        "Traceback (most recent call last):",
        '  File "/home/lea/fit.py", line 8, in <module>',
        f"    {code}",
        error,
    ]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(
    "said",
    [
        "actors: the experience queue was drained for a policy update",
        "buffer 4 was evacuated for the next weight update",
        "lattice: critical temperature reached in sweep 12",
        "fan curve: critical temperature reached, slower clocks from here",
    ],
)
def test_what_a_program_says_of_its_own_things_ends_nothing(tmp_path, said):
    assert read(tmp_path, *STEPS, said, *raised("KeyError: 'decay'")).failure_id == "python.key_error"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("OSError: [Errno 61] No data available: b'/srv/clips/7.flac'", "os.getxattr(clip, 'user.speaker')"),
        ("judge.ApiError: The team has exceeded the token quota of this minute", "judge.ask(answers)"),
        ("judge.ApiError: this key is over quota", "judge.ask(answers)"),
    ],
)
def test_what_a_file_or_an_account_lacks_is_no_trouble_of_the_machine(tmp_path, error, code):
    assert read(tmp_path, *STEPS, *raised(error, code)).category == "script"


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        ("OSError: [Errno 61] No data available: '/arc/7.ckpt' -> '/tmp/7.ckpt'", "storage.no_data"),
        ("RuntimeError: user lea has exceeded her limits: the group is over its storage quota", "storage.quota"),
        ("RuntimeError: save: the project exceeded its quota on /arc", "storage.quota"),
    ],
)
def test_what_the_file_system_lacks_is(tmp_path, error, failure):
    assert read(tmp_path, *STEPS, *raised(error)).failure_id == failure


@pytest.mark.parametrize(
    "row",
    [
        "2e | 04/02/2031 | 03:10:11 | Temperature Exhaust | Upper Non-recoverable going high | Asserted",
        "2f | 04/02/2031 | 03:10:12 | Fan FAN_B2 | Lower Critical going low  | Asserted",
    ],
)
def test_a_boards_fans_and_heat_are_of_what_cools_it(tmp_path, row):
    found = read(tmp_path, *STEPS, row)
    assert (found.failure_id, found.subcategory) == ("site.ipmi_cooling", "other")


def test_a_kernels_word_of_its_heat_is_an_end(tmp_path):
    said = "kiln7 kernel: thermal thermal_zone1: acpitz: critical temperature reached"
    assert read(tmp_path, *STEPS, said).failure_id == "site.too_hot"
