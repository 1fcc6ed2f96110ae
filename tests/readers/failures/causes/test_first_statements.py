"""What states a fault first: no other library, no symptom of it, and each of those who ended at once."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(60)]
PACKAGES = "/opt/env/lib/python3.11/site-packages"


def read(tmp_path, lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return diagnose(path)


def traced(rank, error, call="import ops"):
    who = f"[rank{rank}]: " if rank is not None else ""
    lines = ("Traceback (most recent call last):", '  File "/w/train.py", line 14, in <module>', f"    {call}", error)
    return [f"{who}{line}" for line in lines]


def test_a_warning_of_another_library_in_the_same_folder_states_another_fault(tmp_path):
    warned = (
        f"{PACKAGES}/torchvision/io/image.py:13: UserWarning: Failed to load image Python extension: "
        f"'{PACKAGES}/torchvision/image.so: undefined symbol: _ZN3c106detail23torchInternalAssertFailEv'"
    )
    lines = [warned, *traced(3, f"ImportError: {PACKAGES}/conv1d_cuda.so: undefined symbol: _ZN3c107WarningC1ESt7v")]
    found = read(tmp_path, lines)
    assert (found.failure_id, found.root_line) == ("torch.extension_abi", len(lines))


def test_all_who_were_interrupted_at_once_state_it_however_late_their_steps_are_printed(tmp_path):
    steps = [f"{step} and more words than any buffer of a process may hold" for step in STEPS for _ in range(6)]
    first = traced(None, "KeyboardInterrupt", "loss.backward()")
    lines = [*STEPS, *first, *steps, *first, *first]
    assert read(tmp_path, lines).root_line == len(STEPS) + len(first)


def test_a_port_that_is_down_is_the_cause_of_the_calls_that_fail_on_others(tmp_path):
    failed = (
        "gpu03:11:22 [0] misc/ibvwrap.cc:291 NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out, "
    )
    failed += "on dev mlx5_2:1, curr state INIT, next state RTR, remote GID ::ffff:10.0.0.7"
    ports = [f"gpu{host:02d}: link mlx5_2/1 state ACTIVE physical_state LINK_UP netdev ib2" for host in range(1, 7)]
    down = "gpu07: link mlx5_2/1 state DOWN physical_state DISABLED netdev ib2"
    found = read(tmp_path, [failed, failed.replace("gpu03:11:22", "gpu04:12:23"), "+ rdma link show", *ports, down])
    assert (found.failure_id, found.root_line) == ("network.ib_port_state", 10)


def test_a_program_that_knows_what_failed_states_it_before_the_kernel_does(tmp_path):
    raised = traced(2, "RuntimeError: CUDA error: uncorrectable ECC error encountered", "loss.item()")
    kernel = "Oct 03 00:22:41 gpu07 kernel: NVRM: Xid (PCI:0000:4b:00): 64, Row Remapper: Failed to remap row"
    older = [f"Oct 0{day} 00:22:41 gpu07 kernel: audit: type=1400 audit(1712.221:{day}): STATUS" for day in (1, 2)]
    lines = [*STEPS, *raised, "[epilog] kernel messages on gpu07:", *older, kernel]
    found = read(tmp_path, lines)
    assert (found.subcategory, found.root_line) == ("gpu", len(STEPS) + len(raised))


def test_the_source_in_a_stack_whose_head_is_cut_off_opens_no_run(tmp_path):
    stack = [
        "    return forward_call(*args, **kwargs)",
        '  File "/opt/env/lib/python3.8/site-packages/torch/nn/modules/linear.py", line 116, in forward',
        "    return F.linear(input, self.weight, self.bias)",
        "RuntimeError: mat1 and mat2 must have the same dtype, but got Long and Half",
    ]
    found = read(tmp_path, [*stack, *stack])
    assert (found.attempts, found.root_line) == (1, 4)


def test_a_job_that_somebody_deletes_was_ended_by_hand_and_tidying_up_is_no_failure(tmp_path):
    deleted = 'job.batch "llm-pretrain" deleted'
    ended = read(tmp_path, [*STEPS, "[rank 0] caught SIGTERM", "[rank 1] caught SIGTERM", deleted])
    assert (ended.category, ended.root_line) == ("other", len(STEPS) + 3)
    assert read(tmp_path, [*STEPS, "Training completed in 0:31:10", deleted]).category == "none"


def test_what_became_of_a_machine_goes_before_the_word_of_those_who_miss_it(tmp_path):
    said = "bmc-watch[gpu07]: PSU 2 failed, node is powered off"
    found = read(tmp_path, [*STEPS, said, "srun: error: Node failure on gpu07"])
    assert (found.failure_id, found.root_line) == ("site.power", len(STEPS) + 1)
    assert read(tmp_path, [*STEPS, "srun: error: Node failure on gpu07"]).failure_id == "scheduler.slurm_node_fail"


def test_last_words_behind_the_last_step_are_read_where_nothing_else_is_said(tmp_path):
    ended = read(
        tmp_path, [*STEPS, "I 03-04 10:21:00 strategy.py:291] The spot instance i-0abc was interrupted by the provider"]
    )
    assert (ended.category, ended.subcategory, ended.root_line) == ("infrastructure", "other", len(STEPS) + 1)
    assert ended.confidence < 0.6
    assert read(tmp_path, [*STEPS, "saved the sampled images to /out/final"]).category == "none"


UNRESOLVED = (
    "The IPv4 network addresses of (n07, 29500) cannot be retrieved (gai error: -3 - Temporary failure in name "
)
UNRESOLVED += "resolution)."


@pytest.mark.parametrize(("times", "root"), [(1, 5), (2, 1), (3, 1)])
def test_a_warning_that_was_given_again_and_again_is_the_first_statement(tmp_path, times, root):
    warned = [f"[rank8]:[W301 22:{n}9:59.672484072 socket.cpp:436] [c10d] {UNRESOLVED}" for n in range(times)]
    raised = traced(8, f"torch.distributed.DistNetworkError: The client socket has failed to connect. {UNRESOLVED}")
    assert read(tmp_path, [*warned, *raised]).root_line == root


def test_a_switch_that_left_the_fabric_is_the_cause_of_what_others_met_and_no_node_is(tmp_path):
    met = [
        f"gpu0{n}:11:22 [0] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer 10.0.0.{n}<45292> "
        "with status=12 opcode=0 len=0 vendor err 129"
        for n in (1, 2, 3)
    ]
    left = (
        "Jan 31 21:10:22 771035 [7F21A700] 0x01 -> osm_drop_mgr_process: Switch 'leaf-3' (0xb8ce) removed from fabric"
    )
    found = read(tmp_path, [*STEPS, *met, left])
    assert (found.failure_id, found.faulty_components) == ("network.switch_left_fabric", ("leaf-3",))


@pytest.mark.parametrize("who", ["[1,5]<stderr>:", "5: ", "(Trainer pid=77, ip=10.0.0.3) ", "[pod/run-worker-1/main] "])
def test_what_a_hosts_kernel_said_goes_before_what_its_process_met_whoever_launched_it(tmp_path, who):
    told = "Jan 09 02:11:40 n17 cardd[412]: GPU 3 has 2 new double bit errors in its memory"
    steps = [f"{who.replace('5', '0')}{step}" for step in STEPS]
    fallout = [f"{who.replace('5', '0')}ConnectionResetError: [Errno 104] Connection reset by peer"] * 5
    met = traced(None, "RuntimeError: CUDA error: uncorrectable ECC error encountered", "loss.backward()")
    found = read(tmp_path, [*steps, told, *fallout, *(f"{who}{line}" for line in met)])
    assert (found.subcategory, found.root_line) == ("gpu", len(steps) + 1)


def test_what_is_handed_on_of_another_node_is_no_statement_of_it(tmp_path):
    at = "2031-07-19T13:{:02d}:45.153700Z".format
    said = f"{at(3)} event Warning XidError node/n-77 (from problem-detector) kernel: NVRM: Xid (PCI:0000:2b:00): 95"
    steps = [f"{at(3 + n % 50)} stdout F {step}" for n, step in enumerate(STEPS)]
    met = f"{at(11)} stdout F node n-12: RuntimeError: CUDA error: uncorrectable ECC error encountered"
    assert read(tmp_path, [*steps[:2], said, *steps[2:8], met]).root_line == 10


def test_a_client_that_was_evicted_is_why_its_reads_failed_though_the_connection_came_back(tmp_path):
    at = "w-019: [Mon Aug  4 05:54:57 2031] "
    evicted = (
        f"{at}LustreError: 167-0: s-OST001c-osc-ffff: This client was evicted by s-OST001c; in progress operations"
    )
    back = f"{at}Lustre: s-OST001c-osc-ffff: Connection restored to 10.5.0.28@o2ib"
    met = traced(None, "OSError: [Errno 5] Input/output error: '/scratch/data/c4.bin'", "read()")
    lines = [*STEPS[:50], evicted, back, *STEPS[50:], *met]
    assert read(tmp_path, lines).root_line == 51
    assert read(tmp_path, [*lines[:-1], f"w-020: {met[-1]}"]).root_line == len(lines)


def test_two_machines_of_a_site_have_two_faults(tmp_path):
    other = "Jan 09 02:11:40 n18 cardd[412]: GPU 3 has 2 new double bit errors in its memory"
    own = "Jan 09 02:11:55 n17 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=77, GPU has fallen off the bus."
    found = read(tmp_path, [*STEPS, other, own])
    assert found.root_line == len(STEPS) + 2


GAVE_UP = (
    "torch.distributed.DistBackendError: NCCL error in: ../c10d/ProcessGroupNCCL.cpp:1970, "
    "unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.21.5"
)


def test_what_nccl_warned_of_is_why_it_gave_up(tmp_path):
    warned = "gpu07:4411:4502 [3] proxy.cc:1412 NCCL WARN Proxy has no room for operation 7 of peer 12"
    returned = "gpu07:4411:4502 [3] NCCL INFO proxy.cc:1533 -> 2"
    found = read(tmp_path, [*STEPS, warned, returned, f"[rank3]: {GAVE_UP}"])
    assert (found.subcategory, found.root_line) == ("network", len(STEPS) + 1)


def test_what_nccl_warned_of_before_the_last_step_is_not(tmp_path):
    warned = "gpu07:4411:4502 [3] graph/tuning.cc:88 NCCL WARN Tuner plug-in offers no table for 24 ranks"
    found = read(tmp_path, [*STEPS[:20], warned, *STEPS[20:], f"[rank3]: {GAVE_UP}"])
    assert found.root_line == len(STEPS) + 2


def test_a_word_of_the_transport_is_of_the_network(tmp_path):
    warned = "gpu07:4411:4502 [3] transport/net_ib/p2p.cc:512 NCCL WARN NET/IB: request 7 failed to flush on mlx5_2"
    found = read(tmp_path, [*STEPS, warned, f"[rank3]: {GAVE_UP}"])
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "network", len(STEPS) + 1)


@pytest.mark.parametrize(
    "behind", ["", "W0312 11:02:07.310000 4711 fit/agent.py:88] Received 2 death signal, shutting down"]
)
def test_the_key_that_was_pressed_goes_before_who_was_interrupted(tmp_path, behind):
    found = read(
        tmp_path, [*STEPS, f"^C{behind}", *traced(1, "KeyboardInterrupt", "fit()"), *traced(0, "KeyboardInterrupt")]
    )
    assert (found.category, found.root_line) == ("other", len(STEPS) + 1)


def test_a_key_that_stands_before_the_very_stack_is_part_of_it(tmp_path):
    first, *rest = traced(None, "KeyboardInterrupt", "fit()")
    found = read(tmp_path, [*STEPS, f"^C{first}", *rest])
    assert (found.category, found.root_line) == ("other", len(STEPS) + 1 + len(rest))


def test_what_was_mended_long_ago_and_what_a_program_shows_state_nothing(tmp_path):
    told = "motd : 3 Mar n7 back in service after GPU swap (Xid 79, case 5510)"
    shown = "sample: 'the server crashed with error 500' -> 'le serveur est en panne'"
    lines = [told, *STEPS, shown, *traced(None, "KeyError: 'lr'", "fit()")]
    assert read(tmp_path, lines).root_line == len(lines)
    assert read(tmp_path, [told, *STEPS, shown]).category == "none"


def test_why_a_run_was_begun_is_of_the_run_before(tmp_path):
    ended = "slurmstepd: error: *** JOB 4711 ON n3 CANCELLED AT 2031-03-02T10:00:00 DUE TO NODE FAILURE, SEE LOG ***"
    first = [*STEPS, ended, "slurmctld: job 4711 requeued (NODE_FAIL), restart count 1"]
    second = ["reading the settings", *traced(0, "FileNotFoundError: [Errno 2] No such file or directory: '/ckpt/7'")]
    found = read(tmp_path, [*first, *second])
    assert (found.category, found.root_line) == ("script", len(first) + len(second))


def test_what_has_a_number_at_the_help_desk_may_be_happening_now(tmp_path):
    told = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus. (case 5510)"
    assert read(tmp_path, [*STEPS, told]).subcategory == "gpu"


def test_the_first_of_the_tries_that_all_failed_states_it(tmp_path):
    steps = [f"step {step} loss 2.{step:03d}" for step in range(40)]
    tries = [f"features: CLUSTERDOWN Hash slot not served (try {number} of 3)" for number in (1, 2, 3)]
    raised = ["Traceback (most recent call last):", '  File "/app/a.py", line 7, in <module>']
    end = "redis.exceptions.ClusterDownError: CLUSTERDOWN Hash slot not served"
    (tmp_path / "job.log").write_text("\n".join([*steps, *tries, *raised, end]) + "\n")
    assert diagnose(tmp_path / "job.log").root_line == 41
    (tmp_path / "job.log").write_text("\n".join([*steps, tries[0], *steps, *raised, end]) + "\n")
    assert diagnose(tmp_path / "job.log").root_line == 84


@pytest.mark.parametrize(("between", "line"), [(2, 6), (200, 1)])
def test_what_a_build_lacks_was_told_when_it_was_loaded_unless_that_stands_just_above(tmp_path, between, line):
    warned = "KTX 9 with CUDA capability sm_990 is not compatible with the current PyTorch installation."
    steps = [f"reading part {number} of the corpus from the store" for number in range(between)]
    raised = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    assert read(tmp_path, [warned, *steps, *traced(None, raised)[1:]]).root_line == line
