"""Coqui: a trainer that makes loop, loader and optimizer of one configuration."""

RECIPE = {
    "settings.py": """
        from dataclasses import dataclass

        from trainer import TrainerConfig

        @dataclass
        class VoiceConfig(TrainerConfig):
            lr: float = 2e-3
            optimizer: str = "RAdam"
            epochs: int = 1000
        """,
    "train_voice.py": """
        import torch
        from trainer import Trainer, TrainerArgs
        from settings import VoiceConfig

        config = VoiceConfig(batch_size=24, mixed_precision=True, epochs=300)
        model = torch.nn.Linear(4, 2)
        trainer = Trainer(TrainerArgs(), config, "out", model=model, train_samples=[1])
        trainer.fit()
        """,
}


def test_coquis_trainer_does_what_its_configuration_says(read):
    found = read(RECIPE, "python train_voice.py")
    assert (found.is_training, found.batch_size, found.epochs, found.num_gpus) == (True, 24, 300, 1)
    assert (found.learning_rate, found.optimizer, found.precision) == (2e-3, "RAdam", "fp16")
