"""Run a command in a small virtual machine that has systemd, and control groups of the second version.

`python -m tests.cgroups.vm FOLDER COMMAND...`: FOLDER holds what Debian's packages of a kernel and of busybox were
unpacked to. The machine sees this one's files as they are and keeps what it writes in its memory: nothing here changes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

QEMU = "qemu-system-x86_64"
LIMIT_S = 3600
MODULES = (
    "virtio_ring", "virtio", "virtio_pci_modern_dev", "virtio_pci_legacy_dev", "virtio_pci", "netfs", "fscache",
    "9pnet", "9pnet_virtio", "9p", "overlay",
)  # fmt: skip
"""What it takes to see the host's files, in the order in which they need each other."""
NINE_P = "trans=virtio,version=9p2000.L,msize=524288"
INIT = f"""#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for name in {" ".join(MODULES)}; do test -f /modules/$name.ko && insmod /modules/$name.ko; done
mount -t 9p -o ro,cache=loose,{NINE_P} host /lower
mount -t tmpfs -o size=60% top /top
mkdir /top/upper /top/work
mount -t overlay -o lowerdir=/lower,upperdir=/top/upper,workdir=/top/work overlay /root
cp /units/* /root/etc/systemd/system/
rm -f /root/.dockerenv
mount -t tmpfs tmp /root/tmp
mkdir -p /root/mnt
mount -t 9p -o {NINE_P} out /root/mnt
exec switch_root /root /lib/systemd/systemd --unit=inside.target
"""
UNITS = {
    "inside.target": "[Unit]\nRequires=basic.target\nWants=inside.service\nAfter=basic.target\n",
    "inside.service": """[Unit]
After=basic.target
FailureAction=poweroff-force
SuccessAction=poweroff-force
[Service]
Type=oneshot
TimeoutStartSec=infinity
WorkingDirectory={cwd}
ExecStart=/bin/sh /mnt/inside.sh
""",
}
INSIDE = """{environment}
({command}) >/mnt/output 2>&1 </dev/null
echo $? >/mnt/rc
sync
"""


def archive(files: dict[str, bytes]) -> bytes:
    """Pack files, and folders whose names end with a slash, into what a kernel takes for its first file system."""
    packed = b""
    for number, (name, content) in enumerate([*files.items(), ("TRAILER!!!", b"")], start=1):
        mode = 0o040755 if name.endswith("/") else 0o100755
        path = name.rstrip("/").encode() + b"\0"
        fields = [number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(path), 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + path
        packed += head + bytes(-len(head) % 4) + content + bytes(-len(content) % 4)
    return packed


def first_files(packages: Path) -> bytes:
    """Give what runs before the machine has its root."""
    files = dict.fromkeys(("bin/", "dev/", "proc/", "sys/", "lower/", "top/", "root/", "modules/", "units/"), b"")
    files["init"] = INIT.encode()
    files["bin/busybox"] = (packages / "bin/busybox").read_bytes()
    for name in MODULES:
        for path in packages.glob(f"lib/modules/*/kernel/**/{name}.ko"):
            files[f"modules/{name}.ko"] = path.read_bytes()
    for name, text in UNITS.items():
        files[f"units/{name}"] = text.format(cwd=Path.cwd()).encode()
    return archive(files)


def lacking(packages: Path) -> str:
    """Say what is missing for such a machine; empty where all is there."""
    if os.geteuid() != 0:
        return "only root sees all of this machine's files"
    if shutil.which(QEMU) is None:
        return f"there is no {QEMU}"
    if not Path("/lib/systemd/systemd").exists():
        return "there is no systemd here that it could start"
    if not [*packages.glob("boot/vmlinuz-*")] or not (packages / "bin/busybox").exists():
        return f"{packages} holds no kernel and busybox"
    return ""


def share(tag: str, path: str, *options: str) -> list[str]:
    """Let the machine see a folder of this one."""
    return ["-virtfs", ",".join(["local", f"path={path}", f"mount_tag={tag}", "security_model=none", *options])]


def boot(packages: Path, out: Path) -> subprocess.CompletedProcess[bytes]:
    """Start the machine, and wait for it to go down by itself; what it says goes to `out/console`."""
    (kernel,) = packages.glob("boot/vmlinuz-*")
    (out / "first.cpio").write_bytes(first_files(packages))
    command = [
        QEMU, "-accel", "tcg,thread=multi", "-cpu", "Nehalem", "-smp", "2", "-m", "4096", "-nographic", "-no-reboot",
        "-nic", "none", "-kernel", str(kernel), "-initrd", str(out / "first.cpio"),
        "-append", "console=ttyS0 quiet panic=-1",
        *share("host", "/", "readonly=on", "multidevs=remap"), *share("out", str(out)),
    ]  # fmt: skip
    with open(out / "console", "wb") as console:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False
        )


def main() -> int:
    """Run the command, show what it said, and give its status."""
    packages, command = Path(sys.argv[1]).resolve(), sys.argv[2:]
    if why := lacking(packages):
        print(f"no virtual machine here: {why}")
        return 0
    with TemporaryDirectory(prefix="vm-") as folder:
        out = Path(folder)
        (out / "inside.sh").write_text(
            INSIDE.format(
                environment=f"export PATH={os.environ['PATH']} HOME=/tmp CGROUP_TEST=1", command=" ".join(command)
            )
        )
        boot(packages, out)
        said = out / "output"
        print(said.read_text(errors="replace") if said.exists() else (out / "console").read_text(errors="replace"))
        done = out / "rc"
        return int(done.read_text()) if done.exists() else 1


if __name__ == "__main__":
    sys.exit(main())
