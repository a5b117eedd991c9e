#!/usr/bin/env bash
# Sets everything up, builds, trains the toy translator and the toy classifier, evaluates them, runs
# them, and writes the attention of a sentence of each. Finished trainings are taken as they are.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[[ -t 1 ]] || say() { printf '\n%s\n' "$*"; }

say "Set-up and build"
scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release --target heed
heed=build/heed

# Trains, goes on with a training that was cut short, or takes a finished one.
train() {
  local run=runs/$1
  if [[ -f $run/demo_done ]]; then
    echo "$run is trained already; remove it to train again"
    return
  fi
  if [[ -f $run/last.json ]]; then
    "$heed" train "configs/$1.json" --resume
  else
    "$heed" train "configs/$1.json" --overwrite
  fi
  touch "$run/demo_done"
}

say "Train a translator (English to German, $(wc -l <data/toy_translation/train.en) pairs of toy text)"
train toy_translation
say "Train a classifier (word order decides)"
train toy_classification

# At least this share of the test set must be right: a demo that shows less is broken.
require() {
  "$heed" eval "runs/$1" --split test --json |
    python3 -c 'import json, sys; sys.exit(json.load(sys.stdin)[sys.argv[1]] < float(sys.argv[2]))' \
      "$2" "$3" || { echo "demo: $1: $2 is below $3" >&2; exit 1; }
}

say "Evaluate both on the test set"
"$heed" eval runs/toy_translation --split test
"$heed" eval runs/toy_classification --split test
require toy_translation exact_match 0.95
require toy_classification accuracy 0.98

say "Translate"
head -n 3 data/toy_translation/test.en
echo "->"
head -n 3 data/toy_translation/test.en | "$heed" translate runs/toy_translation

say "Classify"
head -n 3 data/toy_classification/test.tsv | cut -f2
echo "->"
head -n 3 data/toy_classification/test.tsv | cut -f2 | "$heed" classify runs/toy_classification

say "Attention"
"$heed" attend runs/toy_translation --source "$(sed -n 2p data/toy_translation/test.en)" \
  --out runs/toy_translation/attention.json
"$heed" attend runs/toy_classification --source "$(head -n 1 data/toy_classification/test.tsv | cut -f2)" \
  --out runs/toy_classification/attention.json
ls -l runs/toy_translation/attention.json runs/toy_classification/attention.json

say "Where everything lies"
cat <<EOF
build/heed                                the program; build/heed --help
runs/toy_translation                      the translator: config, tokenizer, checkpoints, metrics, log
runs/toy_translation/attention.json       every layer, head and kind of a translated sentence
runs/toy_classification                   the classifier
runs/toy_classification/attention.json    the same for a classified sentence
EOF
