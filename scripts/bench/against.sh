#!/usr/bin/env bash
# Speed of heed and of a peer, measured alternately: what the machine does meanwhile falls on both.
# The peer is a Python program that prints one JSON line with tokens_per_second.
#
#   scripts/bench/against.sh train|decode CONFIG PEER.py [peer's arguments]
#   ROUNDS=3 STEPS=12 THREADS=2 PYTHON=.venv/bin/python HEED=build/heed \
#     HEED_ARGUMENTS='--beam-size 1' scripts/bench/against.sh ...
#
# STEPS, of training only, and THREADS are handed to both. Prints a JSON line a round, then the
# medians and their ratio.
set -euo pipefail

(($# >= 3)) && [[ $1 == train || $1 == decode ]] || {
  sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
what=$1
config=$2
peer=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
heed=${HEED:-$root/build/heed}
python=${PYTHON:-$root/.venv/bin/python}
rounds=${ROUNDS:-3}
both=(--threads "${THREADS:-$(nproc)}")
[[ $what == decode ]] || both+=(--steps "${STEPS:-12}")
read -ra ours <<<"${HEED_ARGUMENTS:-}"

results=$(mktemp)
trap 'rm -f "$results"' EXIT
for ((round = 1; round <= rounds; ++round)); do
  of_heed=$("$heed" bench "$what" --config "$config" "${both[@]}" --json ${ours[@]+"${ours[@]}"})
  of_peer=$("$python" "$peer" "${both[@]}" "$@")
  printf '{"round": %d, "heed": %s, "peer": %s}\n' "$round" "$of_heed" "$of_peer" | tee -a "$results"
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
