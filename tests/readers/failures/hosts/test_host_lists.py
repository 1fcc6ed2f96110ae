"""A list of hosts is hidden in whatever form a scheduler or a launcher writes it, and nothing else is taken for one."""

import time

import pytest

from evals.leaking.host_lists import host_lists
from evals.leaks import anonymized
from schedmate.readers.anonymizer import MOST_EXPANDED, MOST_LISTED, Anonymizer
from schedmate.readers.failures.hosts.host_lists import MOST_HOSTS, expanded, named_lists, short_forms, shortened
from schedmate.tools.logfile import open_log


@pytest.mark.parametrize("seed", range(6))
def test_no_list_of_hosts_gets_through(seed):
    drawn = list(host_lists(seed))
    assert len(drawn) >= 20
    assert [f"{form}: {text}" for form, text, stem in drawn if stem not in text or stem in anonymized(text)] == []


def test_a_list_and_its_members_stay_the_same_hosts(tmp_path):
    log = tmp_path / "job.log"
    log.write_text(
        "SLURM_JOB_NODELIST=owl-[07-09,12]\nowl-08 is slow\nsrun: error: owl-12: task 3: Killed\nleft: owl-07,owl-13\n"
    )
    with open_log(log) as opened:
        rows = "".join(Anonymizer().rewrite(opened)).splitlines()
    assert "owl" not in "".join(rows)
    hosts = [f"host-{number:03d}" for number in range(1, 6)]
    listed = expanded(rows[0].partition("=")[2])
    assert sorted(listed) == hosts[:4]
    assert rows[1].split()[0] in listed
    assert rows[2].split()[2].rstrip(":") in listed
    assert rows[3].split()[1].split(",")[0] in listed
    assert rows[3].split(",")[1] == hosts[4]


def test_what_is_no_list_of_hosts_stays():
    text = (
        "layers[0-3] rank[0-7] gpu[0-7] x[1-2] loss[10] Minibatch[301-400]: ok\ny = grid[1-2] + grid[0,1]\n"
        "nodes: 4, nodes=4 on both, a100,b200 rates\nfit(w[01]); shards[00001,00002] read\n"
    )
    assert anonymized(text) == text


def test_hidden_lists_stay_as_they_are_when_hidden_again():
    once = anonymized("NodeList=emu[1-3,7] and hosts: emu9,emu11\n")
    assert "emu" not in once
    assert anonymized(once) == once


@pytest.mark.parametrize(
    ("short", "hosts"),
    [
        ("n[1-2,4]", ["n1", "n2", "n4"]),
        ("n[08-11]", ["n08", "n09", "n10", "n11"]),
        ("r[1-2]n[3,5]x", ["r1n3x", "r1n5x", "r2n3x", "r2n5x"]),
    ],
)
def test_a_short_form_is_taken_apart_as_slurm_does(short, hosts):
    assert expanded(short) == hosts


def test_hosts_are_written_in_short():
    assert shortened(["h-001", "h-002", "h-004"]) == "h-[001-002,004]"
    assert shortened(["h-3"]) == "h-3"
    assert shortened(["login", "h-3"]) == "login,h-3"


@pytest.mark.parametrize("text", ["n[1-999999999]", "n[0-999][0-999][0-999]", "n[" + "1-900," * 600 + "1]"])
def test_a_huge_list_takes_little(text):
    assert len(expanded(text)) <= 1024


@pytest.mark.parametrize("piece", ["a1,", "hosts=", "oak[1-2],", "oak[0-9,", "_", "node", "oak1 "])
def test_a_long_line_takes_no_longer_than_its_length(piece):
    text = "hosts=" + piece * (60_000 // len(piece))
    began = time.process_time()
    assert sum(1 for _ in named_lists(text)) >= 0
    assert sum(1 for _ in short_forms(text, lambda form: False)) >= 0
    assert time.process_time() - began < 5


def test_a_list_inside_another_is_read_once_and_nothing_of_it_is_lost():
    text = "x1hosts=a1," * 3000
    assert len(list(named_lists(text))) <= 3 * 3000
    assert set(named_lists("hosts=x1,x1hosts=b2,b3 nodelist=c4 c5")) == {"x1", "x1hosts", "b2", "b3", "c4", "c5"}
    assert set(named_lists("hosts=x1hosts=a1 a2")) == {"x1hosts", "a1", "a2"}


def test_many_lists_push_no_plain_host_out_and_are_taken_apart_within_bounds(tmp_path):
    log = tmp_path / "job.log"
    lists = "".join(f"NODELIST=elk{number}x-[0001-0512]\n" for number in range(100))
    log.write_text(f"{lists}MASTER_ADDR=secret07\nsecret07 is slow, elk0x-0007, too\n")
    rewriter = Anonymizer()
    with open_log(log) as opened:
        text = "".join(rewriter.rewrite(opened))
    assert "secret07" not in text
    assert "elk" not in text
    assert len(set(text.splitlines()[:100])) == 100
    assert len(rewriter.words) <= MOST_LISTED + 2


def test_more_plain_hosts_than_ever_are_all_replaced(tmp_path):
    log = tmp_path / "job.log"
    names = [f"yak{number}-{'x' * (number % 9)}" for number in range(5000)]
    log.write_text("".join(f"MASTER_ADDR={name}\n" for name in names) + "MASTER_ADDR=ox7\nox7 leads yak4-xxxx\n")
    with open_log(log) as opened:
        text = "".join(Anonymizer().rewrite(opened))
    assert "yak" not in text
    assert "ox7" not in text


def test_lists_in_many_shapes_are_taken_apart_within_bounds(tmp_path):
    log = tmp_path / "job.log"
    rows = [f"NODELIST=elk[0001-1000,{number}]\n" for number in range(2000, 2600)]
    log.write_text("".join(rows))
    rewriter = Anonymizer()
    with open_log(log) as opened:
        text = "".join(rewriter.rewrite(opened))
    assert "elk" not in text
    assert rewriter.expanded_left > -MOST_HOSTS


@pytest.mark.parametrize("form", ["emu[5-1]", "emu[1-2]x[9-3]", "emu[9999999999-99999999999]"])
def test_a_list_that_cannot_be_read_is_hidden_and_still_there(form):
    assert anonymized(f"NODELIST={form} a\nNODELIST={form} b\n") == "NODELIST=host-001 a\nNODELIST=host-001 b\n"


def test_what_looks_like_a_known_host_and_is_none_stays_however_often_it_is_said(tmp_path):
    log = tmp_path / "job.log"
    row = "reduce over gpu[0-7] took {} ms\n"
    log.write_text("MASTER_ADDR=gpu4711\n" + "".join(map(row.format, range(10_000))))
    rewriter = Anonymizer()
    with open_log(log) as opened:
        text = "".join(rewriter.rewrite(opened))
    assert "gpu4711" not in text
    assert text.count("gpu[0-7]") == 10_000
    assert rewriter.expanded_left > MOST_EXPANDED - 100
