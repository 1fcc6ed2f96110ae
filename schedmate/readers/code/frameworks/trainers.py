"""Hugging Face's, SpeechBrain's and TensorFlow's trainers, which run the training loop themselves."""

from schedmate.knowledge.trainers import argument_records
from schedmate.readers.code.frameworks.detectron2 import detectron_train
from schedmate.readers.code.frameworks.speechbrain import brain_fit
from schedmate.readers.code.frameworks.tensorflow import estimator_train
from schedmate.readers.code.frameworks.transformers import trainer_train, training_arguments
from schedmate.readers.code.values.run import Hook

ENDINGS: dict[str, Hook] = {
    **dict.fromkeys(argument_records(), training_arguments),
    "Trainer.train": trainer_train,
    "DefaultTrainer.train": detectron_train,
    "Estimator.train": estimator_train,
    "TPUEstimator.train": estimator_train,
    "Brain.fit": brain_fit,
}
