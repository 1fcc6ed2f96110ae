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
say schedmate diagnose logs/evicted_pod.txt   # what kubectl describe pod printed
# The same without a file: what Kubernetes knows of a pod. Here a small program answers as a cluster once did; without it, yours does.
(PATH="$PWD/cluster:$PATH" && say schedmate diagnose --pod ml/llm-worker-2)
say schedmate extract repo --command "sbatch run.sh"

# A watch leaves with 1 where a job died or hangs. Its memory of what it told lies in the data directory: here in one that goes.
watched=$(mktemp -d)
(export SCHEDMATE_DATA_DIR="$watched" && say schedmate watch 'logs/*.log' --once --since 100000000) || true
rm -rf "$watched"

# The protocol for assistants is an extra.
if python -c 'import mcp' 2>/dev/null; then
    say python assistant.py
fi

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
  .venv/bin/schedmate watch 'logs/**/*.out'                          who dies, hangs or slows down, told once
  .venv/bin/schedmate mcp --root LOGS                                for an assistant (.venv/bin/pip install 'schedmate[mcp]')
  .venv/bin/schedmate selftest                                       what works on this machine
END
