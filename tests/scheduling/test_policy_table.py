"""The one table of policies, and what is read out of it."""

import pytest

from schedmate.errors import InputError
from schedmate.scheduling.catalogue import PolicyParts, policy_maker
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.live.service import ServiceOptions
from schedmate.scheduling.policy_table import COMPARED, LIVE, POLICIES, REPLAYABLE


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_can_be_made_and_knows_its_name(name):
    assert policy_maker(name, PolicyParts(HistoryMean(), HistoryMean()))("vc").name == name


def test_who_asks_for_none_that_is_there_hears_which_are():
    with pytest.raises(InputError, match="there is no policy 'best'") as refused:
        policy_maker("best", PolicyParts(HistoryMean(), HistoryMean()))
    assert "fifo" in refused.value.hint
    assert set(COMPARED) <= set(REPLAYABLE)


@pytest.mark.parametrize("name", [*sorted(set(POLICIES) - set(LIVE)), "best"])
def test_no_loop_is_set_up_by_what_none_can_run_by(name, tmp_path):
    with pytest.raises(InputError, match=f"policy '{name}' cannot run here"):
        ServiceOptions(tmp_path, [], policy=name)
