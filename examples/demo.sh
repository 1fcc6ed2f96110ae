#!/bin/sh
# The first minute with SchedMate: what works on this machine, and what it reads out of the bundled examples.
set -e
cd "$(dirname "$0")"

# The examples are read with the defaults, whatever the settings are that the user has for other work.
for name in $(env | sed -n 's/^\(SCHEDMATE_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done

say() {
    printf '\n\033[1m$ %s\033[0m\n' "$*"
    "$@"
}

say schedmate diagnose logs/pretrain_64gpu.log
say schedmate diagnose logs/user_bug.log
say schedmate track logs/finetune_running.log
say schedmate extract repo --command "sbatch run.sh"

python night.py

say schedmate report --jobs accounting.txt.gz -o "${TMPDIR:-/tmp}/schedmate-report.html"

cat <<'END'

Next, try your own:
  .venv/bin/schedmate diagnose YOUR_JOB.log                          why it died, with the lines that say so
  .venv/bin/schedmate track --follow YOUR_JOB.log                    how it is getting on
  .venv/bin/schedmate extract YOUR_REPO --command "python train.py"  what it is
  .venv/bin/schedmate simulate --policy fifo,sjf                     how policies compare on a generated month
  .venv/bin/schedmate up                                             the loop on this machine; submit to it with
  .venv/bin/schedmate submit -- python train.py
  .venv/bin/schedmate selftest                                       what works on this machine
END
