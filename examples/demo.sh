#!/bin/sh
# The first minute with SchedMate: what works on this machine, and what it reads out of the bundled examples.
set -e
cd "$(dirname "$0")"

say() {
    printf '\n\033[1m$ %s\033[0m\n' "$*"
    "$@"
}

say schedmate selftest
