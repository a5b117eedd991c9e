import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import support  # noqa: E402


@pytest.fixture(scope="session")
def translator(tmp_path_factory) -> Path:
    """A small translator's run directory; its data and config lie beside it."""
    return support.train(tmp_path_factory.mktemp("translate"), "translate")


@pytest.fixture(scope="session")
def classifier(tmp_path_factory) -> Path:
    return support.train(tmp_path_factory.mktemp("classify"), "classify")
