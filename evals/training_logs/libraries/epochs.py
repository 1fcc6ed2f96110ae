"""Logs that count epochs: an epoch's seconds count, and so does silence."""

from evals.training_logs.run import Run, Told, hms, seconds


def fastai(run: Run) -> Told:
    epoch_s = max(2.0, run.step_s * 60)
    lines = [
        "epoch     train_loss  valid_loss  accuracy  time    ",
        *(
            f"{epoch:<10d}{run.loss(epoch * 20):<12.6f}{run.loss(epoch * 20) + 0.1:<12.6f}0.812301  {hms(epoch_s)}     "
            for epoch in range(6)
        ),
    ]
    return Told("fastai", lines, f"{int(epoch_s)}|null", note="table with mm:ss")


def epoch_line(run: Run) -> Told:
    epoch_s = run.step_s * 80
    lines = [
        f"Epoch {epoch}/10: train_loss {run.loss(epoch * 20)} val_loss {run.loss(epoch * 20) + 0.2:.4f} ({epoch_s:.1f}s)"
        for epoch in range(1, 8)
    ]
    return Told("hand-written", lines, f"{seconds(epoch_s)}|null", "", "", "", 7)


def boosting(run: Run) -> Told:
    lines = [
        f"[{index}]\ttrain-rmse:{run.loss(index):.5f}\teval-rmse:{run.loss(index) + 0.1:.5f}"
        for index in range(0, 300, 10)
    ]
    return Told("xgboost", lines, "null", "", "", "", "", "rounds without any time")


def spacy(run: Run) -> Told:
    lines = [
        "E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE ",
        "---  ------  ------------  --------  ------  ------  ------  ------",
        *(
            f"{i // 4:3d}  {i * 200:6d}        {91 - i:6.2f}    {run.loss(i * 10):6.2f}   {60 + i:5.2f}   {61 + i:5.2f}   {59 + i:5.2f}    0.{60 + i}"
            for i in range(20)
        ),
    ]
    return Told("spacy", lines, "null", "", 3800, "", "", "table without times")


LIBRARIES = [fastai, epoch_line, boosting, spacy]
