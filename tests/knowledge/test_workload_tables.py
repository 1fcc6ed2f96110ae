"""Every entry of the tables on models, data and tasks: well formed, not twice, and found by what it is there for."""

from collections import Counter

import pytest

from schedmate.knowledge.datasets import known_dataset, words
from schedmate.knowledge.models import families, family_of, size_of, squash
from schedmate.knowledge.tables import table
from schedmate.knowledge.tasks import phrases, rows, task_in_words, telling_calls, tuning_trainers

TASKS = {"NLP", "CV", "audio", "RL", "multimodal", "graph", "tabular", "time series", "other"}


def test_each_family_has_a_type_a_task_and_words_of_its_own():
    counted = Counter(word for word, _, _ in families())
    assert [word for word, times in counted.items() if times > 1] == []
    for entry in table("families")["family"]:
        assert entry["type"] or not entry["task"]  # a way to learn how to learn takes networks of any type
        assert set(entry) <= {"type", "task", "fine", "usual", "words", "alone"}
        assert entry["task"] in TASKS | {""}
        assert not ("fine" in entry and "usual" in entry), entry
        for word in [*entry.get("words", []), *entry.get("alone", [])]:
            assert word == squash(word), word
            assert len(word) > 1, word


def test_each_family_is_found_by_its_own_words():
    for word, _, family in families():
        assert family_of(word) == family, word


def test_each_data_set_is_found_by_its_own_words():
    assert [word for word, times in Counter(word for word, _ in words()).items() if times > 1] == []
    for word, found in words():
        assert word == squash(word), word
        assert len(word) > 1, word
        assert found.task in TASKS, found
        assert known_dataset(word) == found, word


def test_each_size_is_a_number_of_parameters():
    for name, size in table("models")["sizes"].items():
        assert name == squash(name)
        assert float(size[:-1]) > 0, name
        assert size[-1] in "MB", name


def test_each_row_on_tasks_names_a_known_task():
    assert set(table("tasks_translated")) <= TASKS
    for name in ("heads", "decisive", "libraries", "phrases"):
        for _, task, fine in rows(name):
            assert task in TASKS | {""}, (name, task)
            assert isinstance(fine, str)
    for call, (task, fine, within) in telling_calls().items():
        assert task in TASKS | {""}, call
        assert within in TASKS, call
        assert task or fine, call
    assert all(label for label in tuning_trainers().values())
    assert len({words for words, _, _ in phrases()}) == len(phrases())


def test_each_phrase_is_found_unless_a_more_telling_one_is():
    order = {(task, fine): place for place, (_, task, fine) in reversed(list(enumerate(phrases())))}
    for place, (parts, _, _) in enumerate(phrases()):
        found = task_in_words(" ".join(part.rstrip("*") for part in parts))
        assert found is not None, parts
        assert order[found] <= place, parts


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("main_video_person_reid", ("CV", "person re-identification")),
        ("Deep Clustering of pictures", ("CV", "self-supervised learning (deep clustering)")),
        ("adapting vision-language models", ("multimodal", "vision-language modeling")),
        ("a large language model", ("NLP", "language modeling")),
        ("Korean relation extraction", ("NLP", "relation extraction")),
        ("fast networks for disparity estimation", ("CV", "stereo matching")),
        ("text-style-transfer", ("NLP", "text style transfer")),
        ("speech-to-text translation", ("audio", "speech translation")),
        ("speech to text", ("audio", "speech recognition")),
        ("PINNs for heat", ("other", "solving differential equations (physics-informed)")),
        ("medical_entity_recognize", ("NLP", "token classification (named entity recognition)")),
        ("small nets for KWS", ("audio", "keyword spotting")),
        ("power-flow surrogates", ("", "power flow approximation")),
        ("医学图像分割", ("CV", "medical image segmentation")),
        ("音声認識 입문", ("audio", "speech recognition")),
    ],
)
def test_words_of_titles_and_scripts_tell_the_task(text, task):
    assert task_in_words(text) == task


@pytest.mark.parametrize("text", ["我的项目", "Über uns", "versions are pinned", "Pinnacle"])
def test_plain_words_tell_no_task(text):
    assert task_in_words(text) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("openai-community/gpt2", "transformer"),
        ("Phi-3-mini-4k-instruct", "transformer"),
        ("DiT-XL/2", "diffusion transformer"),
        ("MoCo", "cnn"),
        ("HiFi-GAN", "gan"),
        ("CLIPModel", "multimodal transformer"),
        ("PreActResNet18", "cnn"),
        ("vit_small", "transformer"),
        ("mlpmixer", "mlp"),
    ],
)
def test_names_tell_their_family(name, kind):
    assert family_of(name).kind == kind


@pytest.mark.parametrize(
    "name", ["exception", "message", "Sample", "parameter", "community", "digits", "Actor", "nonlinearity", "Second"]
)
def test_words_of_the_language_tell_none(name):
    assert family_of(name) is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/data/coco/train2017", "COCO"),
        ("datasets/afhqv2-512x512.zip", "AFHQv2"),
        ("tatsu-lab/alpaca", "Alpaca"),
        ("/data/cc12m/cc12m-train-{0000..2175}.tar", "CC12M"),
        ("ETTh1.csv", "ETTh1"),
        ("ml-1m", "MovieLens 1M"),
        ("MICCAI_BraTS_2019_Data_Training", "BraTS"),
        ("FlyingThings3D_flow_train.txt", "FlyingThings3D"),
        ("casia_b_ids_train.txt", "CASIA-B"),
        ("mnt/libri2mix/wav8k", "LibriMix"),
    ],
)
def test_paths_tell_their_data(path, name):
    assert known_dataset(path).name == name


@pytest.mark.parametrize("path", ["/data/train", "compile_cache", "vocabulary.txt", "my-data"])
def test_plain_paths_tell_no_data(path):
    assert known_dataset(path) is None


@pytest.mark.parametrize("name", ["baseline_model.pt", "BaselineModel", "train_multi_rcnn.prototxt", "synth_reg.py"])
def test_letters_that_end_inside_another_word_tell_no_data(name):
    assert known_dataset(name) is None


def test_a_hub_owner_does_not_hide_the_size():
    assert size_of("some-lab/bert-base-uncased") == "110M"


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("somebody/wav2vec2-large-of-the-valley", "317M"),
        ("bert-base-uncased-moods", "110M"),
        ("roberta-base-small-words", None),
        ("bert-base-half", None),
        ("unet-base-river", None),
        ("somebody/bert-base-cased-h-512-river", None),
        ("bert-base-uncased-4layers", None),
        ("bert-base-uncased-4l12h", None),
        ("somebody/wav2vec2-large-75h-valley", "317M"),
        ("roberta-large-l8h12", None),
        ("roberta-large-river-experts4", None),
        ("bert-large-uncased-teachings-3", "340M"),
        ("bert-base-uncased-students", None),
        ("bert-base-cased-pruning", None),
        ("bert-base-cased-all-experienced", "110M"),
    ],
)
def test_a_tuned_model_has_the_size_of_what_it_is_named_after(name, size):
    assert size_of(name) == size


def test_an_answer_to_a_letter_is_no_picture_of_a_person():
    assert task_in_words("Strip Re: ID tags from subjects") is None
