#!/usr/bin/env bash
# Puts a public data set where the configs look for it, under data/, and checks every file.
#
#   scripts/get_data.sh NAME...
#
# NAME: multi30k_en_de, multi30k_de_en, multi30k_bpe_en_de, tatoeba_en_de, trec6, sst2 or ag_news.
# A copy under the directory that HEED_DATA names is taken where there is one, checked like the rest;
# else the set is fetched from its public origin. The data keep their own terms, which are printed.
set -euo pipefail
exec python3 "$(dirname "$0")/data/get.py" "$@"
