"""What the Hugging Face trainer of a job is told."""

from schedmate.readers.code.fields.view import View
from schedmate.readers.code.values.objects import Made


def trainer_arguments(view: View) -> Made | None:
    """Give the arguments of the Hugging Face trainer that is used."""
    if view.get("is_training") is None:
        return None
    found: Made | None = None
    for event in view.events:
        data = event.result.data
        if isinstance(data, Made) and "num_train_epochs" in data.attrs and "per_device_train_batch_size" in data.attrs:
            found = found or data
    if found is not None:
        return found
    for value, _ in view.run.namespaces:
        data = value.data
        if hasattr(data, "attrs") and "num_train_epochs" in data.attrs and "per_device_train_batch_size" in data.attrs:
            return Made("transformers.TrainingArguments", [], {}, data.spot, attrs=data.attrs)
    for value in view.run.instances:
        if "num_train_epochs" in value.data.attrs and "per_device_train_batch_size" in value.data.attrs:
            return Made("transformers.TrainingArguments", [], {}, value.data.spot, attrs=value.data.attrs)
    return None
