"""Devices, links and hosts that fail."""

from evals.strangers import closing, echoes
from evals.strangers.faults.kinds import MAIN, STEP, Fault, raised
from evals.strangers.job import Job, Truth


def device(job: Job, rank: int, reason: str, kind: str = "gpu") -> Truth:
    return Truth("infrastructure", kind, f"{job.host(rank)} gpu {rank % job.per_host}", reason)


def host(job: Job, rank: int, reason: str, accept_also: str = "") -> Truth:
    return Truth("infrastructure", "node", job.host(rank), reason, accept_also)


def fell_off(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        "pcieport 0000:00:03.1: pciehp: Slot(12): Link Down",
        f"NVRM: GPU at PCI:{job.bus(rank)}: GPU-5f2a{job.number:x}-91b2-7cc1",
        f"NVRM: Xid (PCI:{job.bus(rank)}): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
        f"NVRM: GPU {job.bus(rank)}.0: GPU has fallen off the bus.",
        f"NVRM: Xid (PCI:{job.bus(rank)}): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)",
    ], root=2)  # fmt: skip
    raised(job, rank, [MAIN, STEP], "RuntimeError: CUDA error: unspecified launch failure", at=job.now + 2, root=False, also=job.kernel_at_end)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 3, [rank]), rank, 1)
    return device(job, rank, "a GPU fell off the bus")


def gsp(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        f"NVRM: Xid (PCI:{job.bus(rank)}): 119, pid={job.pid(rank)}, name=python, Timeout after 45s of waiting for RPC response from GPU{rank % job.per_host} GSP! Expected function 76 (GSP_RM_CONTROL) (0x2080013f 0x4).",
        f"NVRM: Xid (PCI:{job.bus(rank)}): 119, pid={job.pid(rank)}, name=python, Timeout after 45s of waiting for RPC response from GPU{rank % job.per_host} GSP! Expected function 10 (FREE) (0xcaf 0x0).",
    ], root=0)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 3, [rank], hang=True), rank, -6)
    return device(job, rank, "the GPU's system processor stopped answering")


def contained_ecc(job: Job) -> Truth:
    rank = job.any_rank()
    error = {
        "torch": "torch.AcceleratorError: CUDA error: uncorrectable ECC error encountered",
        "jax": "jax.errors.JaxRuntimeError: INTERNAL: CUDA error: Failed to record event: CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable ECC error encountered",
        "mpi": "CUDA Runtime API error = 0214 \"uncorrectable ECC error encountered\" at solver/step.cu:411",
        "tf": "tensorflow.python.framework.errors_impl.InternalError: CUDA_ERROR_ECC_UNCORRECTABLE: uncorrectable ECC error encountered",
    }[job.stack]  # fmt: skip
    if job.number % 3:
        job.kernel(job.now, job.host(rank), [f"NVRM: Xid (PCI:{job.bus(rank)}): 94, pid={job.pid(rank)}, name=python, Contained: SM (0x1). RST: No, D-RST: No"], root=0)  # fmt: skip
        job.say(job.now + 0.4, rank, [error], also=(0,))
    else:
        job.say(job.now + 0.4, rank, [error], root=0)
    closing.close(job, echoes.others_end(job, job.now + 2, [rank]), rank, 1)
    return device(job, rank, "an uncorrectable memory error on a GPU")


def amd_hang(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now + 1, rank, [f"HW Exception by GPU node-{rank % 8 + 2} (Agent handle: 0x55e0a8d0) reason :GPU Hang"], also=(0,))  # fmt: skip
    job.kernel(job.now, job.host(rank), [
        "amdgpu 0000:c1:00.0: amdgpu: ring comp_1.0.0 timeout, signaled seq=88123, emitted seq=88125",
        "amdgpu 0000:c1:00.0: amdgpu: GPU reset begin!",
        "amdgpu 0000:c1:00.0: amdgpu: MODE1 reset",
        "amdgpu 0000:c1:00.0: amdgpu: GPU reset end with ret = -62",
    ], root=0)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 3, [rank]), rank, -6)
    return Truth("infrastructure", "gpu", job.host(rank), "an accelerator hung and could not be reset", span=4)


def tpu_halt(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, ("/usr/lib/python3.10/site-packages/jax/_src/array.py", 628, "_value", "npy_value, did_copy = self._single_device_array_to_np_array_did_copy()")],
           "jax.errors.JaxRuntimeError: INTERNAL: Accelerator device halted prematurely, perhaps due to an on-device check-failure. Node 0 halted unexpectedly at tag:pc TensorCoreSequencer:1:0x1a2 (from TensorCoreSequencer:1:0x2f1): no debugging message found for this tag:pc. HBM ECC uncorrectable error detected on chip 2.")  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 2, [rank]), rank, 1)
    return Truth("infrastructure", "gpu", job.host(rank), "a TPU chip halted on an uncorrectable memory error")


def neuron(job: Job) -> Truth:
    rank = job.any_rank()
    stamp = job.clock(job.now, "%Y-%b-%d %H:%M:%S.0142")
    job.say(job.now, rank, [
        f"{stamp} {job.pid(rank)}:{job.pid(rank) + 30}  ERROR  TDRV:exec_consume_infer_status_notifications  (FATAL-RT-UNDEFINED-STATE) missing infer_status notification: (end:1)",
        f"{stamp} {job.pid(rank)}:{job.pid(rank) + 30}  ERROR  NRT:nrt_infodump  HBM uncorrectable error on nd{rank % 8} nc0",
        f"{stamp} {job.pid(rank)}:{job.pid(rank) + 30}  ERROR  NMGR:dlr_infer  Inference completed with err: 1006",
        "RuntimeError: nrt_execute status=1006, NRT_UNCORRECTABLE_HBM_ERROR",
    ], root=1, also=(0, 3))  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 3, [rank]), rank, 1)
    return Truth("infrastructure", "gpu", job.host(rank), "an accelerator's memory failed")


def ascend(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, rank, [
        f"[ERROR] RUNTIME({job.pid(rank)},python):{job.clock(job.now, '%Y-%m-%d-%H:%M:%S.%3.%6')} [davinci_kernel_task.cc:1239] report error module_type=0, module_name=E30008, aicore hbm multi-bit ecc error on device {rank % 8}",
        "[W compiler_depend.ts:487] Warning: NPU warning, error code is 507054[Error]: ",
        "[Error]: The HBM multi-bit ECC error occurs. ",
        "        Rectify the fault based on the error information in the ascend log.",
        "RuntimeError: The Inner error is reported as above. The process exits for this inner error, and the current working operator name is HcclAllreduce.",
    ], root=0, also=(2, 4))  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 3, [rank], hang=False), rank, 1)
    return Truth("infrastructure", "gpu", job.host(rank), "an accelerator's memory failed")


def switch_link(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        "nvidia-nvswitch1: SXid (PCI:0000:06:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-nvswitch1: SXid (PCI:0000:06:00.0): 20034, Severity 5 Engine instance 30 Sub-engine instance 00",
        f"NVRM: Xid (PCI:{job.bus(rank)}): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
    ], root=0)  # fmt: skip
    raised(job, rank, [MAIN, STEP], "RuntimeError: CUDA error: unspecified launch failure", at=job.now + 1, root=False)
    closing.close(job, echoes.others_end(job, job.now + 3, [rank]), rank, 1)
    return Truth("infrastructure", "nvlink", job.host(rank), "a link of an NVSwitch failed", span=3)


def fabric_not_up(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, ("/workspace/train.py", 40, "setup", "torch.cuda.set_device(local_rank)")],
           "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 802: system not yet initialized")  # fmt: skip
    closing.close(job, job.now + 6, rank, 1)
    return Truth("infrastructure", "nvlink", job.host(rank), "the fabric manager was not up")


def ib_async(job: Job) -> Truth:
    rank = job.any_rank()
    nic = f"mlx5_{rank % job.per_host}"
    job.say(job.now, rank, [
        f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 700} [{rank % job.per_host}] transport/net_ib.cc:94 NCCL WARN NET/IB : {nic}:1 Got async event : port error",
    ], root=0)  # fmt: skip
    job.say(job.now + 20, rank, [
        f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 700} [{rank % job.per_host}] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer {job.address(0)}<36221> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid fe80::1 remoteGids fe80::2 hca {nic}",
        f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 700} [{rank % job.per_host}] NCCL INFO transport/net.cc:1134 -> 6",
    ], also=(0,))  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 22, [rank]), rank, 1)
    return Truth("infrastructure", "network", f"{job.host(rank)} {nic}", "a port of an adapter failed")


def efa(job: Job) -> Truth:
    rank = job.any_rank()
    head = f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 700} [{rank % job.per_host}]"
    job.say(job.now, rank, [
        f"{head} int check_cqe(struct nccl_ofi_rdma_ep*):1412 NCCL WARN NET/OFI Request 0x7f11c0 completed with error. RC: 113. Error: 15 (Unresponsive receiver (reachable by EFA device but handshake failed)). Completed length: 0, Request: {{ dev: 2, size: 0, state: CREATED, type: SEND }}",
        f"{head} NCCL INFO transport/net.cc:1134 -> 6",
    ], root=0)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 2, [rank]), rank, 1)
    return Truth("infrastructure", "network", job.host(rank), "a peer could not be reached over EFA")


def ucx(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, rank, [
        f"[{job.host(rank)}:{job.pid(rank)}:0:{job.pid(rank)}] ib_mlx5_log.c:171  Transport retry count exceeded on mlx5_{rank % 4}:1/RoCE (synd 0x15 vend 0x81 hw_synd 0/0)",
        f"[{job.host(rank)}:{job.pid(rank)}:0:{job.pid(rank)}] ib_mlx5_log.c:171  RC QP 0x1a2b wqe[411]: SEND --e [inl len 42] [rqpn 0x3c1 dlid=12 sl=0 port=1 src_path_bits=0]",
        f"==== backtrace (tid: {job.pid(rank)}) ====",
        " 0  /opt/ucx/lib/libucs.so.0(ucs_handle_error+0x2dc) [0x7f40]",
        " 1  /opt/ucx/lib/ucx/libuct_ib.so.0(uct_ib_mlx5_completion_with_err+0x56c) [0x7f41]",
    ], root=0)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 2, [rank]), rank, -6)
    return Truth("infrastructure", "network", f"{job.host(rank)} mlx5_{rank % 4}", "the adapter gave up resending")


def nic_gone(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        "mlx5_core 0000:9f:00.0: poll_health:989:(pid 0): Fatal error 1 detected",
        "mlx5_core 0000:9f:00.0: print_health_info:505:(pid 0): assert_var[0] 0xffffffff",
        "mlx5_core 0000:9f:00.0: mlx5_error_sw_reset:251:(pid 1188): start",
    ], root=0)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 5, [rank], hang=True), rank, -6)
    return Truth("infrastructure", "network", job.host(rank), "an adapter failed", span=3)


def no_route(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, ("/opt/conda/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", 1736, "_new_process_group_helper", "backend_class = ProcessGroupGloo(")],
           f"RuntimeError: Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] no error: connect [{job.address(0)}]:33112: No route to host")  # fmt: skip
    closing.close(job, job.now + 8, rank, 1)
    return Truth("infrastructure", "network", job.host(rank), "a host could not be reached")


def no_names(job: Job) -> Truth:
    rank = job.any_rank()
    error = "socket.gaierror: [Errno -3] Temporary failure in name resolution"
    if job.stack == "torch":
        error = f"RuntimeError: [c10d] The hostname of the client socket cannot be retrieved. err=-3: Temporary failure in name resolution ({job.hosts[0]})"  # fmt: skip
    raised(job, rank, [MAIN, ("/workspace/train.py", 31, "setup", "init_distributed(rank, world, master)")], error)
    closing.close(job, job.now + 8, rank, 1)
    return Truth("infrastructure", "network", job.host(rank), "names of hosts could not be resolved")


def host_oom(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        "python invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0",
        "Mem-Info:",
        "active_anon:1210 inactive_anon:126120111 isolated_anon:0",
        "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,task_memcg=/system.slice/slurmstepd.scope,task=python,pid=%d,uid=2001" % job.pid(rank),  # noqa: UP031
        f"Out of memory: Killed process {job.pid(rank)} (python) total-vm:612301234kB, anon-rss:488120112kB, file-rss:71236kB, shmem-rss:0kB, UID:2001 pgtables:961200kB oom_score_adj:0",
    ], root=-1)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 1, [rank]), rank, -9)
    return Truth("infrastructure", "node", job.host(rank), "the host ran out of memory", span=1)


def read_only(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        "nvme nvme1: I/O 512 (I/O Cmd) QID 31 timeout, aborting",
        "nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff",
        "nvme nvme1: Device not ready; aborting reset, CSTS=0x1",
        "EXT4-fs (nvme1n1): Remounting filesystem read-only",
    ], root=0)  # fmt: skip
    raised(job, rank, [MAIN, ("/workspace/data/cache.py", 77, "put", "with open(path, 'wb') as file:")],
           "OSError: [Errno 30] Read-only file system: '/local/cache/shard_0012.bin'", at=job.now + 3, root=False, also=job.kernel_at_end)  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 5, [rank]), rank, 1)
    return Truth("infrastructure", "node", job.host(rank), "a local disk failed", span=4)


def stale(job: Job) -> Truth:
    rank = job.any_rank()
    raised(job, rank, [MAIN, ("/workspace/data/tokens.py", 142, "__getitem__", "return self._bin_buffer[start:stop]")],
           "OSError: [Errno 116] Stale file handle: '/gpfs/corpus/part_018.bin'")  # fmt: skip
    closing.close(job, echoes.others_end(job, job.now + 2, [rank]), rank, 1)
    return host(job, rank, "a file system was stale on one host")


def machine_check(job: Job) -> Truth:
    rank = job.any_rank()
    job.kernel(job.now, job.host(rank), [
        "mce: [Hardware Error]: CPU 31: Machine Check Exception: 5 Bank 7: be00000000800400",
        "mce: [Hardware Error]: RIP !INEXACT! 10:<ffffffffa1c0e1f6> {intel_idle+0x86/0x130}",
        "mce: [Hardware Error]: TSC 18fd3a02a17 ADDR 3fff8b1c0e1f6 MISC 7880000086",
        "Kernel panic - not syncing: Fatal machine check",
    ], root=0)  # fmt: skip
    gone = [each for each in range(job.ranks) if job.host(each) == job.host(rank)]
    closing.close(job, echoes.others_end(job, job.now + 3, gone), rank, -9)
    return Truth("infrastructure", "node", job.host(rank), "a processor failed", span=4)


def node_fail(job: Job) -> Truth:
    rank = job.any_rank()
    gone = [each for each in range(job.ranks) if job.host(each) == job.host(rank)]
    after = echoes.others_end(job, job.now, gone)
    job.say(after, -1, [
        f"srun: error: Node failure on {job.host(rank)}",
        f"slurmstepd: error: *** JOB {job.number} ON {job.hosts[0]} CANCELLED AT {job.clock(after, '%Y-%m-%dT%H:%M:%S')} DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***",
    ], root=0, also=(1,))  # fmt: skip
    return Truth("infrastructure", "node", job.host(rank), "a node failed")


def ray_node(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, -1, [
        f"(raylet) The node with node id: 4f1a{job.number:x} and address: {job.address(rank)} and node name: {job.address(rank)} has been marked dead because the detector has missed too many heartbeats from it. This can happen when a \t(1) raylet crashes unexpectedly (OOM, etc.) ",
        "\t(2) raylet has lagging heartbeats due to slow network or busy workload.",
        "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.",
        f"\tclass_name: RayTrainWorker\n\tpid: {job.pid(rank)}\n\tip: {job.address(rank)}".replace("\n", " "),
        "The actor died because its node has died. Node Id: 4f1a. The actor's node was terminated unexpectedly: health check failed due to missing too many heartbeats",
    ], root=0, also=(4,))  # fmt: skip
    closing.close(job, job.now + 3, rank, 1)
    return Truth("infrastructure", "node", job.address(rank), "a node stopped answering", accept_also="")


def versions(job: Job) -> Truth:
    rank = job.any_rank()
    job.say(job.now, rank, ["Failed to initialize NVML: Driver/library version mismatch", "NVML library version: 550.127"], root=0)  # fmt: skip
    raised(job, rank, [MAIN, ("/workspace/train.py", 40, "setup", "torch.cuda.set_device(local_rank)")],
           "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 803: system has unsupported display driver / cuda driver combination", at=job.now + 2, root=False, also=True)  # fmt: skip
    closing.close(job, job.now + 6, rank, 1)
    return host(job, rank, "driver and libraries of a host are out of step")


FAULTS = (
    Fault("fell_off", "infrastructure", fell_off, ("torch",)),
    Fault("gsp", "infrastructure", gsp, ("torch", "jax")),
    Fault("contained_ecc", "infrastructure", contained_ecc),
    Fault("amd_hang", "infrastructure", amd_hang, ("torch", "mpi")),
    Fault("tpu_halt", "infrastructure", tpu_halt, ("jax",)),
    Fault("neuron", "infrastructure", neuron, ("torch", "jax")),
    Fault("ascend", "infrastructure", ascend, ("torch",)),
    Fault("switch_link", "infrastructure", switch_link, ("torch",)),
    Fault("fabric_not_up", "infrastructure", fabric_not_up, ("torch",), early=True),
    Fault("ib_async", "infrastructure", ib_async, ("torch",)),
    Fault("efa", "infrastructure", efa, ("torch",)),
    Fault("ucx", "infrastructure", ucx, ("mpi",)),
    Fault("nic_gone", "infrastructure", nic_gone, ("torch", "mpi")),
    Fault("no_route", "infrastructure", no_route, ("torch",), early=True),
    Fault("no_names", "infrastructure", no_names, early=True),
    Fault("host_oom", "infrastructure", host_oom),
    Fault("read_only", "infrastructure", read_only),
    Fault("stale", "infrastructure", stale),
    Fault("machine_check", "infrastructure", machine_check),
    Fault("node_fail", "infrastructure", node_fail, dresses=("plain", "srun -l")),
    Fault("ray_node", "infrastructure", ray_node, ("torch",), ("ray",)),
    Fault("versions", "infrastructure", versions, ("torch",), early=True),
)
