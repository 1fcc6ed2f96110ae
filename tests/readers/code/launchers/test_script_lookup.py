"""Find the file that a name means: from the working directory, from the root, or under another machine's path."""

from tests.readers.code.programs import on_device


def test_a_script_may_be_named_from_above_the_clone(read):
    files = {f"tools/{name}": text for name, text in on_device().items()}
    files["job.sbatch"] = "#!/bin/bash\n#SBATCH --nodes=1\nsrun python my_clone/tools/train.py\n"
    assert read(files, "sbatch job.sbatch").epochs == 3
