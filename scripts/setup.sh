#!/usr/bin/env bash
# Installs what heed needs to build and to pass its tests, on Debian or Ubuntu; does nothing where
# all of it is there.
#
#   scripts/setup.sh
#   scripts/setup.sh PACKAGE...                    system packages on top
#   LIBTORCH=/path/to/libtorch scripts/setup.sh    an existing LibTorch (2.11 to 2.14), CPU or CUDA
#
# LibTorch comes with the torch wheel pinned in scripts/requirements.txt, in a Python environment
# kept in the user's cache directory and linked as .venv, so that every clone shares it.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  g++ make cmake ninja-build ccache mold pkg-config python3 python3-venv
  libcli11-dev libspdlog-dev nlohmann-json3-dev catch2 libsentencepiece-dev libicu-dev
  libxxhash-dev zlib1g-dev locales "$@"
)

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: root or sudo is needed for: $*" >&2
    exit 1
  fi
}

missing=()
for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
if ((${#missing[@]})); then
  echo "setup: installing ${missing[*]}" >&2
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >/dev/null
fi
# Tests run under a locale that writes numbers with a comma.
if [[ $(locale -a) != *de_DE.utf8* ]]; then
  as_root localedef -i de_DE -f UTF-8 de_DE.UTF-8
fi

# One environment for each set of pinned requirements and each Python.
requirements=$(mktemp)
trap 'rm -f "$requirements"' EXIT
if [[ -n ${LIBTORCH:-} ]]; then
  [[ -f $LIBTORCH/include/torch/csrc/api/include/torch/torch.h ]] || {
    echo "setup: LIBTORCH=$LIBTORCH: no include/torch/csrc/api/include/torch/torch.h in it" >&2
    exit 1
  }
  grep -v '^torch==' scripts/requirements.txt >"$requirements"
else
  cp scripts/requirements.txt "$requirements"
fi
key=$(cat "$requirements" <(/usr/bin/python3 --version) | sha256sum | cut -c1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/heed
environment=$cache/venv-$key
if [[ ! -f $environment/complete ]]; then
  mkdir -p "$cache"
  exec 9>"$cache/setup.lock"
  flock 9  # two clones that set up at once make one environment
  if [[ ! -f $environment/complete ]]; then
    echo "setup: making the Python environment $environment" >&2
    rm -rf "$environment"
    /usr/bin/python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" 2>&1 |
      { grep -v '^WARNING: Location' >&2 || true; }
    touch "$environment/complete"
  fi
  flock -u 9
fi
ln -sfn "$environment" .venv
