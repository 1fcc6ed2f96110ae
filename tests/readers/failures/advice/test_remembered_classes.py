"""What a person says of an unknown failure is taken over for the next one of its kind."""

import pytest

import schedmate
from schedmate.errors import InputError
from schedmate.history.failures import forget, remembered
from schedmate.readers.failures.advice.remembered_classes import keep
from schedmate.settings import get_settings

ODD = "zorblax: FATAL: flux manifold {} desynchronised beyond recovery, giving up\n"


def write(path, number):
    path.write_text("".join(f"step {i} loss {1 / (i + 1):.3f}\n" for i in range(40)) + ODD.format(number))
    return path


def test_the_next_of_its_kind_is_classed_alike(tmp_path):
    first = schedmate.diagnose(write(tmp_path / "first.log", 17))
    assert first.root_line == 41
    keep(first, "infrastructure.network", get_settings().data_dir)
    second = schedmate.diagnose(write(tmp_path / "second.log", 23))
    assert (second.category, second.subcategory) == ("infrastructure", "network")
    assert "first.log" in second.explanation


CATALOGUED = "gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid={}, GPU has fallen off the bus.\n"


def catalogued(path, number):
    path.write_text("".join(f"step {i} loss {1 / (i + 1):.3f}\n" for i in range(40)) + CATALOGUED.format(number))
    return path


def test_a_persons_word_wins_over_the_catalogue(tmp_path):
    data_dir = get_settings().data_dir
    first = schedmate.diagnose(catalogued(tmp_path / "first.log", 17))
    assert first.category == "infrastructure"
    kept = keep(first, "script", data_dir)
    assert (kept.category, kept.should_restart, kept.faulty_components, kept.advice) == ("script", "no", (), "")
    assert [action.kind for action in kept.actions] == ["hold", "notify"]
    second = schedmate.diagnose(catalogued(tmp_path / "second.log", 23), exited="NODE_FAIL")
    assert (second.category, second.failure_id, second.actions) == ("script", "gpu.xid_79", kept.actions)
    assert "first.log" in second.explanation
    [memory] = remembered(data_dir)
    assert forget(data_dir, memory.number)
    assert not forget(data_dir, memory.number)
    assert remembered(data_dir) == []
    third = schedmate.diagnose(catalogued(tmp_path / "third.log", 29))
    assert (third.category, third.explanation) == (first.category, first.explanation)


def test_the_latest_word_is_the_one_that_counts(tmp_path):
    data_dir = get_settings().data_dir
    for number, said in enumerate(("framework", "script")):
        keep(schedmate.diagnose(catalogued(tmp_path / f"{number}.log", number)), said, data_dir)
    assert schedmate.diagnose(catalogued(tmp_path / "last.log", 9)).category == "script"


def test_what_was_forgotten_hides_nothing_that_was_kept_after_it(tmp_path):
    data_dir = get_settings().data_dir
    for number, said in enumerate(("framework", "script")):
        keep(schedmate.diagnose(write(tmp_path / f"{number}.log", number)), said, data_dir)
        like = ODD.format(number).replace("giving up", "giving in")
        (tmp_path / "like.log").write_text("step 1 loss 2.0\n" + like)
        assert schedmate.diagnose(tmp_path / "like.log").category == said
        assert forget(data_dir, remembered(data_dir)[-1].number)
    assert schedmate.diagnose(tmp_path / "like.log").notes == ()


@pytest.mark.parametrize("name", ["nonsense", "script.gpu", "infrastructure", "infrastructure.weather", ""])
def test_only_real_classes_are_kept(tmp_path, name):
    with pytest.raises(InputError):
        keep(schedmate.diagnose(write(tmp_path / "a.log", 1)), name, get_settings().data_dir)


@pytest.mark.parametrize("said", ["infrastructure.node", "script"])
def test_a_person_who_calls_a_memory_limit_the_nodes_sends_the_job_to_no_other(tmp_path, said):
    line = "zorblax: FATAL: flux worker {} on gpu17 took more memory than its cap\n"
    for number, name in enumerate(("first", "second")):
        (tmp_path / f"{name}.log").write_text("step 1 loss 2.0\n" + line.format(number))
    kept = keep(schedmate.diagnose(tmp_path / "first.log"), said, get_settings().data_dir)
    second = schedmate.diagnose(tmp_path / "second.log")
    for found in (kept, second):
        assert (found.category, found.should_restart, found.faulty_components) == (said.split(".")[0], "no", ())
        assert [action.kind for action in found.actions] == ["hold", "notify"]
