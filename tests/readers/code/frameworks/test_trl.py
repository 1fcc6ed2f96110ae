"""TRL's first PPO trainer, which is told each step: its batch is what one process plays, accumulation included."""

PLAYED = """
from trl import PPOTrainer, PPOConfig
trainer = PPOTrainer(PPOConfig(batch_size=8, mini_batch_size=2, gradient_accumulation_steps=4), model, reference)
for round in range(5):
    trainer.step(queries, responses, rewards)
"""


def test_a_step_that_a_trainer_is_told_trains_and_holds_the_whole_batch(read):
    job = read({"train.py": PLAYED}, "python train.py")
    assert (job.is_training, job.optimizer) == (True, "Adam")
