"""No node goes on the word of a log: a check, jobs of several users, or a person must bear it out."""

import pytest

from schedmate.history.live_rows import Request

NODE_FAULTS = {
    "gpu": "gpu.xid_79",
    "nvlink": "nvlink.link_down",
    "network": "network.link_down",
    "node": "storage.disk_full",
    "other": "scheduler.power_cooling",
}


@pytest.mark.parametrize("subcategory", NODE_FAULTS)
@pytest.mark.parametrize("engine", ["built-in", "model", "both"])
def test_a_log_alone_isolates_nothing_and_its_job_goes_on(ward, subcategory, engine):
    here = ward(proves=False)
    failure = NODE_FAULTS[subcategory] if engine != "model" else None
    steps = here.fail("node1", subcategory=subcategory, failure_id=failure, root_host="node1", engine=engine)
    event, why = steps["isolate"]
    assert event == "unproven"
    action = here.action("isolate").id
    assert why == f"only the log speaks against node1; schedmate approve {action} does it all the same"
    assert steps["replace"] == ("refused", "no node was taken out")
    assert steps["restart"][0] == "done"
    assert here.store.marks() == {}


def test_a_person_may_stand_in_for_the_evidence_once(ward):
    here = ward(proves=False)
    here.fail("node1")
    action = here.action("isolate").id
    assert here.recovery.obey(Request(0, "approve", action, "")) == f"action {action} (isolate) is approved"
    assert here.store.marks() == {"node1": ("isolated", action)}
    trail = [event for _, event, *_ in here.store.trail(action)]
    assert trail == ["planned", "unproven", "approved", "started", "done"]
    with pytest.raises(Exception, match="is done, not proposed"):
        here.ask("approve", action)


def test_a_word_that_was_given_survives_a_kill(ward):
    here = ward(proves=False)
    here.fail("node1")
    action = here.action("isolate")
    here.store.note_action(action.id, "approved")
    here.pool.close()
    after = ward(proves=False)
    after.recovery.tend()
    assert after.store.marks() == {"node1": ("isolated", action.id)}


def test_the_same_fault_in_jobs_of_two_users_is_evidence(ward):
    here = ward(proves=False)
    here.fail("node1", user="ada")
    assert here.fail("node1", user="ada")["isolate"][0] == "unproven"
    assert here.fail("node1", user="bea", failure_id="gpu.xid_48")["isolate"][0] == "unproven"
    assert here.fail("node2", user="bea")["isolate"][0] == "unproven"
    assert here.fail("node1", user="bea")["isolate"] == (
        "done",
        "node1 takes no more jobs: it met jobs of bea, ada",
    )
    assert set(here.store.marks()) == {"node1"}


def test_what_a_model_called_a_fault_is_not_the_same_fault_twice(ward):
    here = ward(proves=False)
    for user in ("ada", "bea"):
        steps = here.fail("node1", user=user, failure_id=None, subcategory="node", engine="model")
        assert steps["isolate"][0] == "unproven"


def test_an_old_fault_of_another_bears_nothing_out(ward):
    here = ward(proves=False, window_s=0.000001)
    here.fail("node1", user="ada")
    assert here.fail("node1", user="bea")["isolate"][0] == "unproven"


def test_who_is_asked_hears_that_only_a_log_speaks(ward):
    here = ward(mode="suggest", proves=False)
    here.fail("node1", root_host="node1")
    assert here.action("isolate").event == "proposed"
    assert here.action("isolate").detail.endswith("; only the log speaks against node1")
    assert here.ask("approve", here.action("isolate").id).endswith("approved")
    assert set(here.store.marks()) == {"node1"}
