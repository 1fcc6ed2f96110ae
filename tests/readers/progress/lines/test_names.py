"""Names: what is glued together, and how other languages say it."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_part_of_the_work_glued_to_what_is_measured():
    found = read(f"epoch {n} trainloss {3 / n:.3f} valloss {4 / n:.3f} epochtime {31 + n % 2}.5" for n in range(1, 9))
    assert found.loss == pytest.approx(0.375)
    assert found.step_time_s == pytest.approx(32, rel=0.05)


def test_a_batch_of_training_glued_to_its_name():
    found = read(f"Pass 2, trainbatch {20 * n}, cost {9 / n:.3f}, {0.25 + n % 2 / 50:.2f} s/it" for n in range(1, 15))
    assert found.step == 280
    assert found.epoch == 2


@pytest.mark.parametrize(
    "form",
    [
        "Epoca {e}/30 - passo {s}/600 - perdita {loss:.3f} - {ms:.0f} ms/passo",
        "Epoca {e}/30, iteracion {s}/600: perdida = {loss:.3f}, duracion por iteracion = {sec:.3f} segundos",
        "Époque {e}/30 lot {s}/600 perte : {loss:.3f} temps par lot : {sec:.3f} s",
        "Dönem {e}/30 Adım {s}/600 Kayıp: {loss:.3f} Süre: {sec:.3f} sn/adım",
        "第{e}轮 第{s}批 损失值:{loss:.3f} 每批耗时:{sec:.3f}秒",
        "Epoch {e}/30, stap {s}/600, verlies {loss:.3f}, {sec:.3f} seconden per stap",
        "Epoch {e}/30, bước {s}/600 - mất mát: {loss:.3f} - thời gian mỗi bước: {sec:.3f} giây",
        "Епоха {e}/30, крок {s}/600, втрати {loss:.3f}, {ms:.0f} мс/крок",
    ],
)
def test_words_of_other_languages_with_and_without_accents(form):
    found = read(form.format(e=4, s=30 * n, loss=6 / n, sec=0.45, ms=450) for n in range(1, 16))
    assert (found.epoch, found.step) == (4, 450)
    assert found.loss == pytest.approx(0.4)
    assert found.step_time_s == pytest.approx(0.45, rel=0.02)
