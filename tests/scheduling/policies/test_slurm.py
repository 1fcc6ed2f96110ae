"""Slurm's priority and fair share, against cases worked out by hand."""

import pytest

from schedmate.clusters import LiveJob
from schedmate.errors import InputError
from schedmate.scheduling.sites.accounts import Association, Qos, SiteAccounts
from schedmate.scheduling.sites.fair_share import FairShare
from schedmate.scheduling.sites.multifactor import Priority, Weights, read_weights
from tests.scheduling.sites.test_site_rules import play, trace_of

DAY = 86_400.0


def site(*users, accounts=(), qos=None):
    return SiteAccounts(
        {name: Association(name, "", "root", share) for name, share in accounts},
        {(account, user): Association(account, user, "root", share) for account, user, share in users},
        qos or {},
    )


TWO = site(
    ("vision", "ada", 1.0), ("vision", "bob", 1.0), ("speech", "cy", 1.0), accounts=(("vision", 2.0), ("speech", 1.0))
)


def test_fair_tree_puts_accounts_before_their_users():
    shares = FairShare(TWO)
    shares.charge("vision", "ada", 300.0)
    shares.charge("vision", "bob", 100.0)
    shares.charge("speech", "cy", 100.0)
    # Vision: 2/3 of the shares, 4/5 of the use: 0.83. Speech: 1/3 and 1/5: 1.67, so cy is first, then bob, then ada.
    assert [shares.factor(*who) for who in (("speech", "cy"), ("vision", "bob"), ("vision", "ada"))] == [
        1,
        2 / 3,
        1 / 3,
    ]


def test_users_who_are_even_share_a_place():
    assert {FairShare(TWO).factor(*who) for who in TWO.users} == {1.0}


def test_the_classic_formula_halves_where_use_is_the_share():
    shares = FairShare(TWO, classic=True)
    shares.charge("vision", "ada", 200.0)
    shares.charge("speech", "cy", 100.0)
    # Vision used 2/3, its share. Ada: 2/3 + (2/3 - 2/3) / 2 = 2/3 of all, with a share of 1/3: 2^-2.
    assert shares.factor("vision", "ada") == pytest.approx(0.25)
    # Bob used nothing, and feels half of his account's use: 0 + (2/3 - 0) / 2 = 1/3, his share: 2^-1.
    assert shares.factor("vision", "bob") == pytest.approx(0.5)
    assert shares.factor("speech", "cy") == pytest.approx(0.5)


def test_use_fades_by_half():
    shares = FairShare(TWO, half_life_s=DAY, classic=True)
    shares.charge("vision", "ada", 200.0)
    shares.fade(DAY)
    shares.charge("speech", "cy", 100.0)
    # 100 are left of ada's 200 beside cy's 100: vision has half of the use, with two thirds of the shares.
    assert shares.factor("speech", "cy") == pytest.approx(2 ** -(0.5 / (1 / 3)))


def test_priority_adds_its_factors_by_weight():
    weights = Weights(age=100, fairshare=0, size=10, partition=0, qos=1000, max_age_d=2)
    priority = Priority(weights, site(qos={"normal": Qos(5.0), "urgent": Qos(50.0)}), FairShare(site()))
    job = LiveJob(0, "a", 4, 0.0)
    job.qos = "normal"
    # A day of two: 50; 4 of 16 GPUs: 2.5; 5 of 50: 100.
    assert priority.of(job, DAY, 16, "") == pytest.approx(152.5)
    assert priority.of(job, 9 * DAY, 16, "") == pytest.approx(202.5)


def test_who_has_used_much_waits_for_who_has_not():
    # Ada's first job fills the cluster for an hour; her second came before bob's, who goes first.
    rows = [(0, 3600, 8, 0), (10, 100, 8, 0), (20, 100, 8, 1)]
    assert play(trace_of(rows), "slurm").first_start_s.tolist() == [0, 3700, 3600]
    assert play(trace_of(rows), "easy").first_start_s.tolist() == [0, 3600, 3700]
    even = Weights(fairshare=0.0)
    assert play(trace_of(rows), "slurm", weights=even).first_start_s.tolist() == [0, 3600, 3700]


def test_weights_are_read_from_slurm_conf(tmp_path):
    conf = tmp_path / "slurm.conf"
    conf.write_text(
        "PriorityType=priority/multifactor\nPriorityWeightAge=500 # of 7 days\nPriorityWeightFairShare=20000\n"
        "PriorityDecayHalfLife=14-12\nPriorityMaxAge=3-0\nPriorityFavorSmall=YES\nPriorityFlags=NO_FAIR_TREE\n"
        "PartitionName=gpu Nodes=ALL PriorityJobFactor=5\nPartitionName=short Nodes=ALL\n"
    )
    assert read_weights(str(conf)) == Weights(
        500, 20_000, 0, 0, 0, 3, 14.5, favor_small=1, classic=1, partitions={"gpu": 5, "short": 1}
    )
    conf.write_text("PriorityType=priority/basic\nPriorityWeightAge=500\n")
    assert read_weights(str(conf)).age == 0


@pytest.mark.parametrize("text", ["age", "age=-1", "age=nan", "size=many", "colour=3", "max_age_d=0", "damping=0"])
def test_weights_that_mean_nothing_are_refused(text):
    with pytest.raises(InputError):
        read_weights(text)
