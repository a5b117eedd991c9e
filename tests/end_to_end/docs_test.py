"""What docs/attention.md gives to try is there and passes heed verify."""
import re
import shlex

import pytest

import support

TEXT = (support.ROOT / "docs" / "attention.md").read_text("utf-8")
LINES = re.findall(r"^- \*\*Try\*\* `([^`]*)`", TEXT, re.MULTILINE)
SECTIONS = re.findall(r"^###? (\w+)(?::.*)?\n\n((?:- .*\n)+)", TEXT, re.MULTILINE)


POSITIONS = ["rotary", "alibi", "relative"]


def test_each_variant_has_ten_lines_and_each_kind_of_positions_six():
    assert len(LINES) == len(SECTIONS) == 11 + len(POSITIONS)
    assert [name for name, _ in SECTIONS[-3:]] == POSITIONS
    for name, lines in SECTIONS:
        assert len(lines.splitlines()) == (6 if name in POSITIONS else 10), name


@pytest.mark.parametrize("line", LINES)
def test_what_to_try_passes_the_checklist(line):
    config = support.ROOT / "configs" / "toy_translation.json"
    edits = ["--set", "model.enc_layers=1", "--set", "model.dec_layers=1"]
    support.run("verify", config, *edits, *shlex.split(line), cwd=support.ROOT)
