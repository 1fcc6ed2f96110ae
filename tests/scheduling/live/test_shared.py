"""One loop for all accounts of a machine, with real accounts: jobs are their owners', and nobody gets at another's."""

import json
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from schedmate.clusters.runner.account import NotBecome, become, check_account, least
from schedmate.clusters.runner.gpus import hide_others
from schedmate.clusters.runner.processes import start_ticks
from schedmate.history.live import LiveStore

WHO = """
import os, resource
os.umask(mask := os.umask(0))
print(os.getresuid(), os.getresgid(), os.getgroups(), oct(mask), resource.getrlimit(resource.RLIMIT_NOFILE))
opened = sorted(map(int, os.listdir("/proc/self/fd")))
print(os.getcwd(), os.environ["HOME"], opened[:3], len(opened))
deeds = [lambda: os.setuid(0), lambda: open("/etc/shadow"), lambda: os.listdir({data!r}), lambda: os.unlink({log!r})]
for what in deeds:
    try:
        what()
        print("COULD")
    except PermissionError:
        print("could not")
open("mine", "w").write("written")
"""
BROKEN = """
import os, time
print('step 1/5 loss 1.0', flush=True)
print('{word}', flush=True)
while not os.path.exists('go'):
    time.sleep(0.02)
raise KeyError('lr')
"""
RAISES = """
import os, resource, json, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (77, 99))
os.umask(0o027)
os.execv(sys.executable, [sys.executable, "-P", "-m", "schedmate", "submit", "--json", "--", *{command!r}])
"""


def test_a_job_runs_as_whoever_handed_it_in_and_is_nothing_more(make_shared):
    shared = make_shared("ada")
    shared.start()
    ada = shared.accounts["ada"]
    script = WHO.format(data=str(shared.data_dir), log=str(shared.logs / "1.1.log"))
    done = shared.run("ada", python=RAISES.format(command=[shared.python, "-c", script]))
    assert done.returncode == 0, done.stderr
    job = json.loads(done.stdout)["job"]
    shared.ended(job)
    lines = shared.log(job).splitlines()
    groups = os.getgrouplist(ada.pw_name, ada.pw_gid)
    assert lines[0] == f"{(ada.pw_uid,) * 3} {(ada.pw_gid,) * 3} {groups} 0o27 (77, 99)"
    assert lines[1] == f"{ada.pw_dir} {ada.pw_dir} [0, 1, 2] 4", "nothing of ours is open, the listing itself apart"
    assert lines[2:] == ["could not"] * 4
    made = Path(ada.pw_dir, "mine").stat()
    assert (made.st_uid, made.st_gid, stat.S_IMODE(made.st_mode)) == (ada.pw_uid, ada.pw_gid, 0o640)
    log = (shared.logs / f"{job}.1.log").stat()
    assert (log.st_uid, stat.S_IMODE(log.st_mode)) == (ada.pw_uid, 0o600)


def test_others_see_the_queue_and_how_far_a_job_is_and_nothing_else(make_shared):
    shared = make_shared("ada", "bob", "oda", policy='[people]\noperators = ["{oda}"]\n')
    shared.start("--mode", "suggest")
    job = shared.submit("ada", "--name", "bert", "--", shared.python, "-c", BROKEN.format(word="wordinthelog"))
    shared.until(lambda: '"step": 1' in shared.row(job).metrics)
    Path(shared.accounts["ada"].pw_dir, "go").touch()
    shared.until(lambda: shared.row(job).diagnosis)
    ada, bob, oda = (shared.accounts[name].pw_name for name in ("ada", "bob", "oda"))
    seen = shared.run("bob", "jobs", "--json").stdout + shared.run("bob", "jobs").stdout
    assert "bert" in seen
    assert ada in seen
    assert "step 1/5" in seen
    for secret in ("wordinthelog", "KeyError", "python.key_error", shared.accounts["ada"].pw_dir):
        for words in (["jobs", "--json"], ["jobs"], ["why", str(job)], ["why", str(job), "--json"], ["actions"]):
            assert secret not in shared.run("bob", *words).stdout, words
        assert secret in "".join(
            shared.run("oda", *words).stdout for words in (["jobs", "--json"], ["why", str(job)], ["logs", str(job)])
        )
    for words in (["logs", str(job)], ["cancel", str(job)], ["release", str(job)], ["down"], ["actions", "--verify"]):
        refused = shared.run("bob", *words)
        assert (refused.returncode, refused.stdout) == (2, ""), words
        assert f"{bob} may not" in refused.stderr
    refused = shared.run("bob", "submit", "--user", ada, "--", "true")
    assert f"{bob} may not hand in jobs for {ada}" in refused.stderr
    assert "wordinthelog" in shared.run("ada", "logs", str(job)).stdout
    assert shared.run("ada", "cancel", str(job)).returncode == 0
    named = shared.submit("oda", "--user", ada, "--", "sleep", "600")
    assert (shared.row(named).user, shared.row(named).account) == (ada, oda)
    assert shared.run("oda", "cancel", str(named)).returncode == 0
    shared.ended(named)
    assert shared.row(named).reason == f"cancelled by {oda}"
    assert shared.run("oda", "actions", "--verify").returncode == 0


def test_operators_take_nodes_out_through_the_door_and_others_see_why(make_shared):
    shared = make_shared("ada", "oda", policy='[people]\noperators = ["{oda}"]\n')
    shared.start("--nodes", "2", "--slots", "cpu=1")
    ada, oda = (shared.accounts[name].pw_name for name in ("ada", "oda"))
    for words in (["drain", "node1"], ["resume", "node1"]):
        refused = shared.run("ada", *words)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert f"{ada} may not {words[0]}" in refused.stderr
    assert "takes no new jobs" in shared.run("oda", "drain", "node1", "--why", "a new fan").stdout
    rows = [json.loads(line) for line in shared.run("ada", "nodes", "--json").stdout.splitlines()]
    assert [(row["state"], row["by"], row["reason"]) for row in rows] == [("drained", oda, "a new fan"), ("up", "", "")]
    jobs = [shared.submit("ada", "--", "true") for _ in range(2)]
    shared.ended(*jobs)
    assert shared.nodes_of(*jobs) == {"node2"}
    odd = [{"verb": "ask", "kind": kind, "target": 0, "argument": "[" * 3999} for kind in ("drain", "resume")]
    requests = ask_raw(shared, "oda", *(json.dumps(one).encode() + b"\n" for one in odd))
    assert all("answer" in json.loads(line) for line in requests)
    assert shared.run("oda", "resume", "node1").stdout == "node1 takes jobs again\n", "the loop lives"


def ask_raw(shared, who, *lines):
    """Put raw bytes through the door, as one of the accounts; give what comes back."""
    code = (
        "import socket, sys\npipe = socket.socket(socket.AF_UNIX)\npipe.settimeout(60)\n"
        f"pipe.connect({str(shared.socket)!r})\nstream = pipe.makefile('rb')\n"
        "for word in sys.stdin:\n    try:\n        pipe.sendall(bytes.fromhex(word))\n    except OSError:\n"
        "        pass\n    print(stream.readline().decode().strip())\n"
    )
    return shared.run(who, python=code, input="\n".join(line.hex() for line in lines)).stdout.splitlines()


def test_what_is_forged_at_the_door_is_refused_and_harms_nobody(make_shared):
    shared = make_shared("ada", "bob")
    shared.start()
    job = {"command": ["/usr/bin/id"], "workdir": "/", "environment": {}}
    forged = [
        {"account": "root"}, {"runs_as": '{"uid": 0}'}, {"user": "root"}, {"slots": -1}, {"command": []}, {"share": 0},
        {"command": [7]}, {"workdir": "x"}, {"workdir": "/\0"}, {"environment": {"A=B": ""}}, {"memory_gib": 1e999},
    ]  # fmt: skip
    lines = [json.dumps({"verb": "submit", "job": job | one, "token": "t"}).encode() + b"\n" for one in forged]
    lines += [b"\n", b"[]\n", b"{}\n", b"\xff\n", b'{"verb": "log", "job": "../../x", "run": 1}\n', b"[" * 9000 + b"\n"]
    lines += [json.dumps({"verb": "ask", "kind": kind, "target": 1}).encode() + b"\n" for kind in ("shell", "")]
    told = [json.loads(line) for line in ask_raw(shared, "bob", *lines)]
    assert len(told) == len(lines)
    assert all("error" in one for one in told), told
    assert "too long" in ask_raw(shared, "bob", b"x" * (2 << 20))[0]
    session = {"umask": 0, "limits": {"nofile": [1 << 40, 1 << 40], "core": [-1, -1]}}
    asked = {"verb": "submit", "job": job, "token": "t", "submit_s": 0, "session": session}
    (answer,) = ask_raw(shared, "bob", json.dumps(asked).encode() + b"\n")
    number = json.loads(answer)["answer"]
    shared.ended(number)
    bob = shared.accounts["bob"]
    assert shared.log(number).startswith(f"uid={bob.pw_uid}({bob.pw_name})")
    assert shared.row(number).submit_s > 1e9, "nobody came earlier than he did"
    (again,) = ask_raw(shared, "ada", json.dumps(asked).encode() + b"\n")
    assert json.loads(again)["answer"] != number, "a token is its account's"


def test_one_account_cannot_fill_the_door(make_shared):
    shared = make_shared("ada", "bob")
    shared.start()
    holds = (
        "import socket, sys\npipes = []\nfor _ in range(40):\n    pipe = socket.socket(socket.AF_UNIX)\n"
        f"    pipe.connect({str(shared.socket)!r})\n    pipes.append(pipe)\n"
        "print('full', flush=True)\nsys.stdin.read()\n"
    )
    found = shared.accounts["bob"]
    with subprocess.Popen(
        [shared.python, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        user=found.pw_uid, group=found.pw_gid, extra_groups=[],
    ) as bob:  # fmt: skip
        assert bob.stdout.readline() == "full\n"
        (answer,) = ask_raw(shared, "bob", b'{"verb": "jobs"}\n')
        assert "too many at the door" in answer
        assert shared.run("ada", "jobs").returncode == 0
        bob.stdin.close()


def test_logs_and_code_are_read_as_their_owner(make_shared):
    """What lies in his directory and is not his to read is not read for him by root."""
    shared = make_shared("ada")
    shared.start("--mode", "act")
    home = Path(shared.accounts["ada"].pw_dir)
    code = "import torch\nlr = {lr}\nm = torch.nn.Linear(1, 1)\no = torch.optim.Adam(m.parameters(), lr=lr)\no.step()\n"
    (home / "train.py").write_text(code.format(lr=0.0625))
    (home / "roots.py").write_text(code.format(lr=0.03125))
    (home / "roots.py").chmod(0o600)
    mine = shared.submit("ada", "--name", "mine", "--", "true", "train.py")
    jobs = [shared.submit("ada", "--", shared.python, name) for name in ("train.py", "roots.py")]
    shared.ended(mine, *jobs)
    shared.until(lambda: all(shared.row(job).workload or "its code was not read" in shared.said() for job in jobs))
    assert "0.0625" in shared.row(jobs[0]).workload
    assert "0.03125" not in shared.row(jobs[1]).workload
    helpers = helpers_of(shared.process.pid)
    owners = {os.stat(f"/proc/{pid}").st_uid for pid in helpers}
    readers = [pid for pid in helpers if status(pid, "Uid")[0] == str(shared.accounts["ada"].pw_uid)]
    assert readers, owners
    assert all(os.stat(f"/proc/{pid}/environ").st_uid == 0 for pid in readers), "its owner cannot look into a reader"
    peek = f"import os; open('/proc/{readers[0]}/environ').read()"
    assert "PermissionError" in shared.run("ada", python=peek).stderr


def helpers_of(pid):
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def status(pid, name):
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(f"{name}:"))
    return line.split()[1:]


def test_a_kill_of_door_or_loop_loses_nothing(make_shared):
    shared = make_shared("ada")
    shared.start()
    job = shared.submit("ada", "--", "sleep", "600")
    record = shared.data_dir / "jobs" / str(job) / "1" / "job"
    shared.until(record.exists)
    process = json.loads(record.read_text())
    door = next(pid for pid in helpers_of(shared.process.pid) if b"door" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(door, signal.SIGKILL)
    shared.until(lambda: shared.said().count("the door is open") == 2)
    shared.kill()
    gone = shared.run("ada", "jobs")
    assert gone.returncode == 2
    assert "does not answer" in gone.stderr
    shared.start()
    assert start_ticks(process["pid"]) == process["ticks"]
    assert shared.run("ada", "cancel", str(job)).returncode == 0
    shared.ended(job)
    assert start_ticks(process["pid"]) == 0


def test_a_log_that_lies_there_from_another_store_is_not_given_away(make_shared):
    shared = make_shared("ada")
    shared.logs.mkdir(mode=0o711)
    (shared.logs / "1.1.log").write_text("another's words\n")
    shared.start()
    job = shared.submit("ada", "--", "echo", "mine")
    shared.ended(job)
    assert shared.log(job) == "mine\n"
    (kept,) = shared.logs.glob("1.1.log.*")
    assert kept.stat().st_uid == 0


@pytest.mark.parametrize("wrong", ["not root", "socket folder", "logs folder"])
def test_a_shared_loop_that_could_not_be_safe_is_refused(make_shared, wrong):
    shared = make_shared("ada")
    ada = shared.accounts["ada"]
    folder = shared.folder / ("run" if wrong == "socket folder" else "logs")
    folder.mkdir()
    os.chown(folder, ada.pw_uid, ada.pw_gid)
    if wrong == "not root":
        done = shared.run("ada", "up", "--shared")
        assert "only root can" in done.stderr
    else:
        environment = {**shared.environment, "SCHEDMATE_DATA_DIR": str(shared.data_dir)}
        command = [shared.python, "-P", "-m", "schedmate", "up", "--shared", "--option", f"logs={shared.logs}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert f"{folder} is not root's alone" in done.stderr
    assert done.returncode == 2


def test_whom_the_kernel_does_not_know_as_root_is_not_trusted_with_a_job(make_shared):
    """A socket of somebody else's in the place of the loop's would be handed environments."""
    shared = make_shared("ada", "bob")
    shared.socket.parent.mkdir()
    bob = shared.accounts["bob"]
    os.chown(shared.socket.parent, bob.pw_uid, bob.pw_gid)
    listens = (
        f"import socket, sys\npipe = socket.socket(socket.AF_UNIX)\npipe.bind({str(shared.socket)!r})\npipe.listen()\n"
        "print('up', flush=True)\nheard = pipe.accept()[0].recv(100)\nprint(heard, flush=True)\n"
    )
    with subprocess.Popen(
        [shared.python, "-c", listens], stdout=subprocess.PIPE, text=True,
        user=bob.pw_uid, group=bob.pw_gid, extra_groups=[],
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "up\n"
        shared.socket.chmod(0o666)
        done = shared.run("ada", "submit", "--", "true")
        assert "neither root nor yours" in done.stderr
        assert process.stdout.readline() == "b''\n"


def in_child(work):
    """Do something in a process of its own, as what it does to itself is for good; give its words."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(theirs, work().encode())
        finally:
            os._exit(0)
    os.close(theirs)
    words = b""
    while piece := os.read(ours, 4096):
        words += piece
    os.close(ours)
    os.waitpid(child, 0)
    return words.decode()


def test_the_gpus_of_others_are_locked_away_for_good(tmp_path, make_shared):
    ada = make_shared("ada").accounts["ada"]
    folder = Path(ada.pw_dir) / "dev"
    folder.mkdir()
    for name in ("nvidia0", "nvidia1", "nvidia2", "nvidiactl"):
        (folder / name).write_text(name)

    def work():
        if told := hide_others([1], str(folder.parent / "closed"), str(folder)):
            return told
        become({"name": ada.pw_name, "uid": ada.pw_uid, "gid": ada.pw_gid})
        undone = subprocess.run(["umount", str(folder / "nvidia0")], capture_output=True, check=False).returncode
        return f"{[os.access(path, os.R_OK) for path in sorted(folder.iterdir())]} {undone != 0}"

    said = in_child(work)
    if said.startswith("the GPUs of others are not locked"):
        pytest.skip("the kernel lets nobody have a view of the file system of his own here")
    assert said == "[False, True, False, True] True"
    assert (folder / "nvidia0").read_text() == "nvidia0", "only for the job"


@pytest.fixture
def two_gpus():
    """Two files where a driver would make them, with its numbers: whoever may open one finds no driver behind it."""
    made = [Path("/dev/nvidia0"), Path("/dev/nvidia1")]
    if os.geteuid() or any(Path("/dev").glob("nvidia[0-9]*")):
        pytest.skip("this machine has GPUs, or nobody may make files of devices here")
    for path in made:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(195, int(path.name[-1])))
        path.chmod(0o666)
    yield made
    for path in made:
        path.unlink(missing_ok=True)


LOOKS = """
import errno, os
for number in (0, 1):
    try:
        os.open(f'/dev/nvidia{number}', os.O_RDWR)
    except OSError as error:
        print(number, 'mine' if error.errno == errno.ENXIO else 'closed')
print(os.environ['CUDA_VISIBLE_DEVICES'], flush=True)
"""


def test_a_job_has_its_gpus_and_no_other(make_shared, two_gpus):
    shared = make_shared("ada")
    shared.start("--slots", "gpu=2")
    gate = Path(shared.accounts["ada"].pw_dir, "go")
    waits = f"import time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.02)"
    jobs = [shared.submit("ada", "--gpus", "1", "--", shared.python, "-c", LOOKS + waits) for _ in range(2)]
    shared.until(lambda: all(len(shared.log(job).splitlines()) >= 3 for job in jobs))
    gate.touch()
    shared.ended(*jobs)
    seen = sorted(shared.log(job).splitlines() for job in jobs)
    if "not locked" in seen[0][0]:
        pytest.skip("the kernel lets nobody lock a GPU here")
    assert seen == [["0 closed", "1 mine", "0"], ["0 mine", "1 closed", "0"]], "and counts its own from 0"


def test_gpus_of_others_that_are_not_locked_are_told_of(make_shared, two_gpus):
    """A container's root, say, who may mount nothing."""
    if shutil.which("setpriv") is None:
        pytest.skip("no setpriv, which takes a right away from root")
    shared = make_shared("ada")
    shared.start("--slots", "gpu=2", under=("setpriv", "--bounding-set", "-sys_admin,-bpf"))
    job = shared.submit("ada", "--gpus", "1", "--", shared.python, "-c", LOOKS)
    shared.ended(job)
    told = "the GPUs of others are not locked: Operation not permitted"
    assert shared.log(job).splitlines() == [f"schedmate: {told}", "0 mine", "1 mine", "0"]
    shared.until(lambda: f"job {job}: {told}" in shared.said())
    assert told in shared.run("ada", "why", str(job)).stdout
    noted = json.loads(shared.run("ada", "actions", "--job", str(job), "--json").stdout)
    assert (noted["kind"], noted["run"], noted["detail"]) == ("gpus_unlocked", 1, told)


def test_an_account_that_is_not_what_it_was_is_not_become():
    for wrong in (("root", 1, 0), ("nobody", 0, 0), ("root", 0, 54321), ("x", 54321, 0)):
        with pytest.raises((NotBecome, KeyError)):
            check_account(*wrong)
    assert least(resource.RLIM_INFINITY, 5) == least(5, resource.RLIM_INFINITY) == 5
    assert least(resource.RLIM_INFINITY, resource.RLIM_INFINITY) == resource.RLIM_INFINITY


def test_a_job_whose_account_is_gone_runs_as_nobody_else(make_shared):
    shared = make_shared("ada")
    shared.start()
    number = shared.submit("ada", "--kind", "none-such", "--", "touch", str(shared.folder / "ran"))
    store = LiveStore(shared.data_dir)
    runs_as = json.loads(store.job(number).runs_as)
    store.close()
    shared.process.terminate()
    shared.process.wait()
    for changed in ({"uid": 54321}, {"gid": 0}, {"name": "root"}, {"uid": 0}):
        store = LiveStore(shared.data_dir)
        store.update(number, runs_as=json.dumps(runs_as | changed), kind="", state="pending", end_s=None)
        store.close()
        shared.start()
        shared.ended(number)
        assert not (shared.folder / "ran").exists()
        assert shared.row(number).state != "completed"
        shared.process.terminate()
        shared.process.wait()


def test_the_unit_is_one(make_shared):
    printed = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", "up", "--unit"], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    ).stdout  # fmt: skip
    for words in ("KillMode=process", "up --shared"):
        assert words in printed
    assert "@" not in printed


def test_a_socket_is_only_replaced_by_a_socket(tmp_path):
    from schedmate.scheduling.live.door import Door
    from schedmate.scheduling.live.rights import Rights

    place = tmp_path / "socket"
    place.write_text("somebody's file")
    with pytest.raises(OSError):
        Door(place, tmp_path, Rights([]))
    assert place.read_text() == "somebody's file"
    place.unlink()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(place))
    Door(place, tmp_path, Rights([])).server_close()
