#!/usr/bin/env bash
# Training speed of heed and of a peer, measured alternately: what the machine does meanwhile falls
# on both. The peer is a Python program that prints one JSON line with tokens_per_second.
#
#   scripts/bench/train.sh CONFIG PEER.py [peer's arguments]
#   ROUNDS=3 STEPS=12 THREADS=2 PYTHON=.venv/bin/python HEED=build/heed scripts/bench/train.sh ...
#
# Prints a JSON line a round, then the medians and their ratio.
set -euo pipefail

(($# >= 2)) || {
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
config=$1
peer=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
heed=${HEED:-$root/build/heed}
python=${PYTHON:-$root/.venv/bin/python}
rounds=${ROUNDS:-3}
steps=${STEPS:-12}
threads=${THREADS:-$(nproc)}

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for ((round = 1; round <= rounds; ++round)); do
  ours=$("$heed" bench train --config "$config" --steps "$steps" --threads "$threads" --json)
  theirs=$("$python" "$peer" --steps "$steps" --threads "$threads" "$@")
  printf '{"round": %d, "heed": %s, "peer": %s}\n' "$round" "$ours" "$theirs" | tee -a "$results"
done

"$python" - "$results" <<'PYTHON'
import json
import statistics
import sys

rounds = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
heed, peer = (statistics.median(r[side]["tokens_per_second"] for r in rounds)
              for side in ("heed", "peer"))
print(json.dumps({"heed_tokens_per_second": heed, "peer_tokens_per_second": peer,
                  "ratio": round(heed / peer, 3), "rounds": len(rounds)}))
PYTHON
