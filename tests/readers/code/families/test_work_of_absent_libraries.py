"""Programs whose options are read, or whose loop is run, by a library or part that is not here."""


def test_a_file_that_only_an_absent_library_reads_counts_with_what_it_includes(read):
    files = {
        "go.py": "import torch\nfrom deepwater.options import Options\nfrom deepwater import Pipeline\n"
        "Pipeline(Options().parse_args()).fit()\n",
        "conf/deep.yaml": "includes:\n  - conf/base.yaml\ntraining:\n  batch_size: 14\n",
        "conf/base.yaml": "optimizer:\n  name: AdamW\n  lr: 0.02\ntraining:\n  batch_size: 3\n  num_epochs: 60\n",
    }
    job = read(files, "python go.py -c conf/deep.yaml")
    assert (job.is_training, job.batch_size, job.epochs, job.learning_rate) == (True, 14, 60, 0.02)
    assert job.optimizer == "AdamW"
