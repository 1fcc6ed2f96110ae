"""accelerate's configuration file: processes, machines, precision and strategy; options of the command line win."""

import posixpath

from schedmate.readers.code.configs.files import load_config
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.values.run import Run


def read_accelerate(run: Run, launch: Launch) -> None:
    """Take from accelerate's configuration what its options leave open; one that is not here is noted."""
    given = launch.options.get("accelerate.config_file")
    if given is None or not isinstance(given.data, str):
        return
    for base in (launch.workdir, "."):
        path = posixpath.normpath(posixpath.join(base, given.data))
        if run.repository.is_file(path):
            config = load_config(run, path)
            if config is None or not isinstance(config.data, dict):
                return
            run.configs.append(("accelerate", config))
            total, machines = config.data.get("num_processes"), config.data.get("num_machines")
            if launch.total is None and total is not None and isinstance(total.data, int):
                launch.total = total
            if launch.nodes is None and machines is not None and isinstance(machines.data, int):
                launch.nodes = machines
            for key in ("mixed_precision", "distributed_type", "deepspeed_config", "fsdp_config"):
                if key in config.data:
                    launch.options.setdefault(f"accelerate.{key}", config.data[key])
            return
    run.note(f"accelerate's configuration {given.data} is not in the repository")
    launch.options["accelerate.absent"] = given
