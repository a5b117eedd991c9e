#!/usr/bin/env bash
# Time and memory to read, tokenize and batch a corpus of a million lines, and to begin training on
# it: Tatoeba's training pairs (scripts/get_data.sh tatoeba_en_de, or HEED_DATA), repeated until
# there are LINES of them.
#
#   LINES=1000000 TOKENIZER=bpe THREADS=2 HEED=build/heed scripts/bench/data.sh
#
# Prints a JSON line for each: the first update, with the tokenizer trained on the same text and then
# with one that is there; an update after all lines are read, tokenized and batched (a resumed
# training waits for them); and `heed data check`.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
heed=${HEED:-$root/build/heed}
lines=${LINES:-1000000}
tokenizer=${TOKENIZER:-bpe}
threads=${THREADS:-$(nproc)}
data=${HEED_DATA:-$root/data}/tatoeba_en_de
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for side in en de; do
  zcat "$data/train.$side.gz" >"$scratch/once"
  count=$(wc -l <"$scratch/once")
  for ((done = 0; done < lines; done += count)); do cat "$scratch/once"; done >"$scratch/all"
  head -n "$lines" "$scratch/all" >"$scratch/train.$side"
  rm "$scratch/once" "$scratch/all"
done

# step MODEL WHAT STEPS OPTION: trains up to a number of updates
step() {
  cat >"$scratch/config.json" <<CONFIG
{"task": "translate",
 "data": {"train": {"source": "train.en", "target": "train.de"}, "max_len": 100},
 "tokenizer": {"type": "$tokenizer", "vocab_size": 8000$1},
 "model": {"d_model": 32, "heads": 2, "d_ff": 64, "enc_layers": 1, "dec_layers": 1, "tie": "all"},
 "train": {"batch_tokens": 4096, "max_steps": $3}, "log": {"every": 1000}}
CONFIG
  timed "$2" "$heed" train "$scratch/config.json" --run "$scratch/run" --threads "$threads" "$4"
}

# timed WHAT COMMAND...: wall seconds and peak memory of a command, as JSON
timed() {
  local what=$1
  shift
  python3 - "$what" "$lines" "$@" <<'PYTHON'
import json
import resource
import subprocess
import sys
import time

what, lines, *command = sys.argv[1:]
begin = time.monotonic()
done = subprocess.run(command, capture_output=True)
seconds = time.monotonic() - begin
if done.returncode != 0:
    sys.exit(done.stderr.decode())
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(json.dumps({"what": what, "lines": int(lines), "seconds": round(seconds, 1),
                  "peak_memory_mb": peak}))
PYTHON
}

step "" "first update, tokenizer trained" 1 --overwrite
cp "$scratch"/run/tokenizer/shared.* "$scratch/"
model=', "model": "shared.model"'
[[ -f $scratch/shared.model ]] || model=', "vocab_file": "shared.vocab"'
step "$model" "first update, tokenizer there" 1 --overwrite
step "$model" "update after all is read, tokenized and batched" 2 --resume
timed "check" "$heed" data check "$scratch/config.json" --threads "$threads"
