#!/usr/bin/env bash
# The long proofs that a training can be trusted, about 20 minutes on two cores: every optimizer,
# schedule, precision, accumulation and model resumes bit for bit, and a training that is killed a
# hundred times at any moment ends as the one that never was. Needs a built heed.
#
#   scripts/endure.sh [resume|kill]...     both where none is named
set -euo pipefail
cd "$(dirname "$0")/.."
exec .venv/bin/python scripts/endure.py "$@"
