"""Communication tests over groups of nodes, with programs that really run and fail on chosen nodes."""

import shlex

import pytest

from schedmate.scheduling.recovery.nccl_test import NcclTest
from schedmate.scheduling.recovery.owner_rules import RecoveryRules, Rules, ToolRules
from tests.scheduling.recovery.cases import NODES, case_of, row, take
from tests.tools.faulty_reach import reach


@pytest.fixture
def stand_in(tmp_path):
    """A program in the place of nccl-tests: it fails, computes wrongly or hangs on chosen nodes."""

    def make(limit_s=120.0, **faults):
        path = tmp_path / "all_reduce_perf"
        lines = [
            "#!/bin/sh",
            'echo "$SCHEDMATE_NODES $CUDA_VISIBLE_DEVICES $*" >> ' + shlex.quote(str(tmp_path / "calls")),
        ]
        for node, what in faults.items():
            act = {"fails": "exit 3", "wrong": "echo '# Out of bounds values : 4 FAILED'", "hangs": "exec sleep 600"}[
                what
            ]
            lines.append(f'case ",$SCHEDMATE_NODES," in *,{node},*) {act};; esac')
        path.write_text("\n".join([*lines, "echo '# Out of bounds values : 0 OK'"]) + "\n")
        path.chmod(0o755)
        rules = Rules(tools=ToolRules(nccl_test=str(path)), recovery=RecoveryRules(check_limit_s=limit_s))
        return rules, tmp_path / "calls"

    return make


@pytest.mark.parametrize("what", ["fails", "wrong"])
def test_faulty_nodes_are_pinpointed(stand_in, what):
    rules, calls = stand_in(node2=what, node7=what)
    answer = take("nccl_test", rules)
    assert sorted(answer["found"]) == ["node2", "node7"]
    assert answer["done"].startswith("node2, node7 failed (all_reduce_perf: ")
    assert "rounds over 9 nodes" in answer["done"]
    words = [line.split() for line in calls.read_text().splitlines()]
    whole = next(line for line in words if line[0].count(",") == 8)
    assert whole[1] == ",".join(map(str, range(18)))
    assert whole[2:] == ["-b", "8M", "-e", "64M", "-f", "2", "-g", "18"]


def test_a_test_that_hangs_has_failed(stand_in):
    assert take("nccl_test", stand_in(1.0, node2="hangs")[0], target="node2")["found"] == ("node2",)


def test_nodes_that_pass_are_cleared(stand_in):
    answer = take("nccl_test", stand_in()[0])
    assert answer["cleared"] == NODES
    assert answer["found"] == ()


def test_nccl_test_says_where():
    assert (
        NcclTest().describe(row("nccl_test", "node1,node2"), case_of())
        == "test communication over node1,node2: because"
    )


def test_a_link_between_two_is_named_and_nobody_is_blamed(stand_in):
    rules, calls = stand_in()
    program = calls.with_name("all_reduce_perf")
    both = 'case ",$SCHEDMATE_NODES," in *,node2,*) case ",$SCHEDMATE_NODES," in *,node7,*) exit 3;; esac;; esac'
    program.write_text(program.read_text().replace("#!/bin/sh", f"#!/bin/sh\n{both}"))
    answer = take("nccl_test", rules)
    assert "only together fail node2 and node7: look at the link" in answer["done"]
    assert "found" not in answer


def test_gpus_that_are_in_use_are_not_tested(stand_in):
    rules, calls = stand_in(node1="fails")
    two = case_of(nodes=NODES[:2], idle=())
    assert "socket ring check" in take("nccl_test", rules, two)["done"]
    assert not calls.exists()


def test_time_is_given_for_every_round():
    rules = Rules(recovery=RecoveryRules(check_limit_s=10.0))
    limits = [NcclTest().limit_s(row("nccl_test", ",".join(NODES[:count])), rules) for count in (1, 2, 8, 9)]
    assert limits == [70.0, 110.0, 170.0, 340.0]


@pytest.mark.parametrize("fault", ["unreachable", "cut", "corrupts"])
def test_without_nccl_tests_sockets_pinpoint_the_node(fault):
    """Real members on nodes of which one fails: by itself, or only in company."""
    nodes = tuple(f"127.0.0.{number}" for number in range(11, 15))
    rules = Rules(tools=ToolRules(nccl_test="/nowhere/all_reduce_perf", reach=reach(n13=fault)))
    answer = take("nccl_test", rules, case_of("network", nodes=nodes))
    assert answer["found"] == ("127.0.0.13",)
    assert answer["done"].startswith("127.0.0.13 failed (socket ring check: ")
    assert answer["done"].endswith("it sees hosts and the network between them, neither GPUs nor NVLink)")


@pytest.mark.parametrize(("subcategory", "cleared"), [("network", NODES[:2]), ("gpu", ()), ("nvlink", ())])
def test_sockets_clear_nodes_only_of_what_they_can_see(subcategory, cleared):
    rules = Rules(tools=ToolRules(nccl_test="/nowhere/all_reduce_perf"))
    answer = take("nccl_test", rules, case_of(subcategory, nodes=NODES[:2]))
    assert (answer["found"], answer["cleared"]) == ((), cleared)
