"""Who acts is known from the operating system: people on their own jobs, operators on all, and the trail names them."""

import json
import os
import subprocess
import sys

import pytest

from schedmate.clusters import NodeSpec
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Answer, Submission
from schedmate.scheduling.live.rights import Rights
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.scheduling.recovery.owner_rules import PeopleRules, Rules
from schedmate.schemas import Diagnosis
from schedmate.tools.accounts import groups_of, my_account

ME = my_account()


@pytest.fixture
def loop(tmp_path):
    made = []

    def make(*operators):
        rules = Rules(people=PeopleRules(operators=operators))
        options = ServiceOptions(
            tmp_path, [NodeSpec("node1", 1, "cpu")], rules=rules, reading="tests.scheduling.live.quick_reading",
            tracks=False, readers=1,
        )  # fmt: skip
        made.append(Service(options, lambda words: None))
        return made[-1]

    yield make
    for service in made:
        service.close()


def ask(service, kind, target, actor):
    """Ask as somebody; give the answer."""
    request = service.store.ask(kind, target, actor=actor)
    service.desk.serve()
    return service.store.answer_to(request)


def held(service, user, account=""):
    """Hand in a job for a user that stays where it is."""
    job = Submission(("true",), "/", {}, user=user, account=account)
    number = service.store.submit(job, os.urandom(8).hex(), 1.0)
    service.store.update(number, state="held")
    return number


def stepped(service, kind, event, target="node1"):
    """Let ada's job have died, with one step of its plan left to a person; give the step."""
    job = held(service, "ada", "ada")
    service.store.update(job, state="pending")
    run = service.store.open_run(job, "cpu", (("node1", 1),), None, 1.0)
    service.store.update_run(job, run, ended_s=2.0, outcome="failed")
    found = Diagnosis(category="infrastructure", subcategory="gpu", failure_id="gpu.xid_79", confidence=0.9)
    service.store.update(job, state="examined", diagnosis=found.model_dump_json())
    action = service.store.add_action(job, run, 0, kind, target, "a fault", "suggest")
    service.store.note_action(action, event, f"{kind} {target}")
    return action


def test_a_person_acts_on_his_own_jobs_alone(loop):
    service = loop()
    job = held(service, "ada", "ada")
    for word in ("cancel", "release"):
        assert ask(service, word, job, "bob") == Answer(f"bob may not {word} job {job}: it is ada's", ok=False)
    assert service.store.job(job).state == "held"
    assert ask(service, "release", job, "ada") == Answer(f"job {job} is back in the queue")
    assert ask(service, "cancel", job, "ada") == Answer(f"job {job} is cancelled")
    assert ask(service, "cancel", job, ME) == Answer(f"job {job} is over already: cancelled")
    assert service.store.job(job).reason == "cancelled by ada"


@pytest.mark.parametrize("operators", [("oda",), ("@root", "oda")])
def test_operators_act_on_all_jobs(loop, operators):
    service = loop(*operators)
    assert ask(service, "cancel", held(service, "ada", "ada"), "oda").words.endswith(" is cancelled")
    assert ask(service, "cancel", held(service, "ada", "ada"), ME).words.endswith(" is cancelled")


def test_whoever_hands_in_for_another_may_take_it_back_and_so_may_he(loop):
    service = loop()
    for actor in ("ada", "oda"):
        assert ask(service, "cancel", held(service, "ada", "oda"), actor).words.endswith(" is cancelled")


def test_a_group_of_operators_is_the_systems(tmp_path):
    assert Rights(["@daemon"]).is_operator("daemon")
    assert not Rights(["@daemon"]).is_operator("bin")
    assert not Rights(["daemon"]).is_operator("@daemon")
    assert not Rights(["@daemon"]).is_operator("no such account")
    assert groups_of("no such account") == frozenset()
    assert not Rights([]).is_operator("")


@pytest.mark.parametrize("word", ["approve", "reject", "undo", "down", "reset-breaker"])
def test_what_may_hit_others_is_for_operators(loop, word):
    service = loop("oda")
    action = stepped(service, "isolate", "proposed")
    for actor in ("ada", "bob"):
        answer = ask(service, word, action, actor)
        assert not answer.ok
        assert answer.words.startswith(f"{actor} may not {word.replace('-', ' the ')}")
    assert service.going
    assert not ask(service, word, action, "oda").words.startswith("oda may not")


def test_on_steps_that_hit_his_job_alone_its_owner_has_the_word_and_the_trail_names_him(loop):
    service = loop()
    action = stepped(service, "hold", "unproven", "the job")
    assert ask(service, "approve", action, "bob").words.startswith("bob may not approve what is done about job")
    assert [entry.actor for entry in service.store.trail(action)] == ["schedmate"]
    assert ask(service, "approve", action, "ada") == Answer(f"action {action} (hold) is approved")
    named = [(entry.event, entry.actor) for entry in service.store.trail(action)]
    assert named[:2] == [("unproven", "schedmate"), ("approved", "ada")]
    assert {actor for _, actor in named[2:]} <= {"schedmate"}
    assert service.store.verify().broken is None


def test_a_fact_about_a_run_is_in_the_trail_once_and_is_nobodys_step(loop):
    """What was not locked, say: it can be neither undone nor approved, and no plan takes it for a step of its own."""
    service = loop("oda")
    job = held(service, "ada", "ada")
    for _ in range(2):
        service.store.note_fact(job, 1, "gpus_unlocked", "the GPUs of others are not locked")
    (row,) = service.store.actions(job=job)
    told = [(entry.event, entry.detail, entry.actor) for entry in service.store.trail(row.id)]
    assert told == [("noted", "the GPUs of others are not locked", "schedmate")]
    for word in ("undo", "approve", "reject"):
        for actor in ("ada", "oda"):
            assert not ask(service, word, row.id, actor).ok, "and the loop lives"
    assert service.store.treated() == set()
    assert service.store.verify().entries == 1


def test_another_actor_in_the_trail_is_found_out(tmp_path):
    store = LiveStore(tmp_path)
    action = store.add_action(1, 1, 0, "isolate", "node1", "a fault", "act")
    store.note_action(action, "approved", actor="ada")
    assert store.verify().broken is None
    store.connection.execute("DROP TRIGGER live_action_events_stay")
    for other in ("bob", ""):
        store.connection.execute("UPDATE live_action_events SET actor = ?", (other,))
        assert store.verify().broken == 1
    store.close()


def test_an_end_that_was_cut_off_is_found_out_also_after_the_next_entry(tmp_path):
    store = LiveStore(tmp_path)
    action = store.add_action(1, 1, 0, "isolate", "node1", "a fault", "act")
    for event in ("planned", "approved", "done"):
        store.note_action(action, event)
    store.connection.execute("DROP TRIGGER live_action_events_remain")
    store.connection.execute("DELETE FROM live_action_events WHERE id = 3")
    assert store.verify().broken == 3
    store.note_action(action, "undone")
    assert store.verify()[::3] == (2, 4)
    store.close()


def test_what_the_environment_says_of_the_user_is_nobodys_word(tmp_path):
    environment = {**os.environ, "SCHEDMATE_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": ":".join(sys.path)}
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        environment[name] = "ada"
    command = [sys.executable, "-P", "-m", "schedmate", "submit", "--json", "--", "true"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    store = LiveStore(tmp_path / "data")
    row = store.job(json.loads(done.stdout)["job"])
    assert (row.user, row.account) == (ME, ME)
    store.ask("cancel", row.id)
    assert [request.actor for request in store.requests()] == [ME]
    store.close()


def test_entries_from_before_there_was_a_chain_are_known_and_no_later_one_passes_for_one(tmp_path):
    store = LiveStore(tmp_path)
    action = store.add_action(1, 1, 0, "isolate", "node1", "a fault", "act")
    sql = "INSERT INTO live_action_events (action, at_s, event, detail) VALUES (?, 1.0, 'planned', '')"
    store.connection.execute(sql, (action,))
    store.connection.execute("DELETE FROM live_facts WHERE name = 'unchained'")
    for column in ("ok", "data"):
        store.connection.execute(f"ALTER TABLE live_requests DROP COLUMN {column}")
    store.connection.execute("PRAGMA user_version = 14")
    store.close()
    store = LiveStore(tmp_path)
    store.note_action(action, "approved", actor="ada")
    store.note_action(action, "done")
    assert store.verify()[:2] == (2, 1)
    assert store.verify().broken is None
    store.connection.execute("DROP TRIGGER live_action_events_stay")
    store.connection.execute("UPDATE live_action_events SET digest = ''")
    assert store.verify().broken == 2
    store.close()
