"""SpeechBrain: what its Brain is given of networks, and what a run of it does where it is told nothing."""

BRAIN = """
import sys
import speechbrain as sb
from hyperpyyaml import load_hyperpyyaml

class Phones(sb.Brain):
    def compute_forward(self, batch, stage):
        return self.modules.enc(batch)

file, run_opts, overrides = sb.parse_arguments(sys.argv[1:])
with open(file) as stream:
    hparams = load_hyperpyyaml(stream, overrides)
brain = Phones(modules=hparams["modules"], opt_class=hparams["opt"], hparams=hparams, run_opts=run_opts)
brain.fit(hparams["counter"], [1], train_loader_kwargs=hparams["loader"])
"""
HPARAMS = """
hub: acme/wav2vec2-large
{more}
counter: !new:speechbrain.utils.epoch_loop.EpochCounter
   limit: 15
loader:
   batch_size: 64
enc: !new:speechbrain.lobes.models.VanillaNN.VanillaNN
   dnn_blocks: 2
ear: !new:speechbrain.lobes.models.huggingface_wav2vec.HuggingFaceWav2Vec2
   source: !ref <hub>
modules:
   enc: !ref <enc>
   ear: !ref <ear>
opt: !name:torch.optim.Adam
   lr: 0.001
"""


def brain(read, more="", words=""):
    return read({"train.py": BRAIN, "p.yaml": HPARAMS.format(more=more)}, f"python train.py p.yaml {words}")


def test_a_brain_is_named_after_the_weights_that_it_starts_from(read):
    job = brain(read)
    assert (job.model_name, job.model_type) == ("acme/wav2vec2-large", "transformer")


def test_a_brain_works_on_one_device_in_single_precision(read):
    job = brain(read)
    assert (job.num_gpus, job.distributed, job.precision) == (1, "none", "fp32")
    assert (job.batch_size, job.global_batch_size) == (64, 64)
    assert brain(read, words="--device=cpu").num_gpus == 0


def test_a_brain_takes_precision_and_gathered_batches_from_its_options(read):
    assert brain(read, more="precision: bf16").precision == "bf16"
    job = brain(read, more="auto_mix_prec: True\ngrad_accumulation_factor: 2")
    assert (job.precision, job.global_batch_size) == ("fp16", 128)
    assert brain(read, more="precision: fp16", words="--precision=bf16").precision == "bf16"
