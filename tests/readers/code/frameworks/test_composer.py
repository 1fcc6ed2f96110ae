"""Composer: a trainer that is told all as arguments, its duration in words like 10ep."""


def test_a_configuration_that_llm_foundry_hands_back_is_still_known(read):
    code = (
        "import sys\nfrom composer import Trainer\nfrom omegaconf import OmegaConf as om\n"
        "from llmfoundry.utils.config_utils import pop_config, update_batch_size_info\n"
        "cfg = update_batch_size_info(om.load(open(sys.argv[1])))\nlimit = pop_config(cfg, 'limit')\n"
        "trainer = Trainer(model=None, max_duration=limit, precision=cfg.precision)\ntrainer.fit()\n"
    )
    files = {"train.py": code, "run.yaml": "limit: 3200ba\nprecision: amp_bf16\n"}
    job = read(files, "composer train.py run.yaml")
    assert (job.total_steps, job.precision) == (3200, "bf16")
