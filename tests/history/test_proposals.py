"""Proposals wait for a person: written whole or not at all, decided once, however many propose and decide."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from schedmate.errors import InputError
from schedmate.history.proposals import MOST_WAITING, ProposalFile


def test_a_proposal_waits_until_somebody_decides_and_no_longer(tmp_path):
    kept = ProposalFile(tmp_path)
    made = kept.add("drain", "gpu-7", "three jobs died there\x1b[2J")
    assert [one.verdict for one in ProposalFile(tmp_path).all_of_them()] == [""]
    assert "\x1b" not in kept.all_of_them()[0].why
    kept.decide(made.number, "rejected", "ann")
    assert kept.all_of_them()[0][-2:] == ("rejected", "ann")
    for number in (made.number, 99):
        with pytest.raises(InputError):
            kept.decide(number, "approved", "bob")


def test_many_at_once_get_numbers_of_their_own_and_one_decides(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: ProposalFile(tmp_path).add("cancel", str(n), "why"), range(40)))
    assert sorted(one.number for one in made) == list(range(1, 41))

    def decide(actor):
        try:
            return ProposalFile(tmp_path).decide(7, "approved", actor).actor
        except InputError:
            return ""

    with ThreadPoolExecutor(8) as pool:
        assert sum(bool(one) for one in pool.map(decide, "abcdefgh")) == 1


def test_a_line_that_was_cut_off_is_none_and_hides_no_other(tmp_path):
    kept = ProposalFile(tmp_path)
    kept.add("cancel", "1", "why")
    with kept.path.open("a") as file:
        file.write('{"propose": {"number": 2, "kin')
    assert kept.add("cancel", "3", "why").number == 2
    assert [one.target for one in kept.all_of_them()] == ["1", "3"]


def test_nobody_is_flooded(tmp_path):
    kept = ProposalFile(tmp_path)
    for number in range(MOST_WAITING):
        kept.add("cancel", str(number), "why")
    with pytest.raises(InputError, match="wait already"):
        kept.add("cancel", "x", "why")
    kept.decide(1, "rejected", "ann")
    kept.add("cancel", "x", "why" * 10_000)
    assert len(kept.all_of_them()[-1].why) == 1000
