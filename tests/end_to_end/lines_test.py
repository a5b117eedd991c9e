"""N lines in, N lines out, in order, whatever is in them; stdout holds results and nothing else."""
import pytest

import support

LINES = [
    "the cat sees the house",
    "",
    "a dog likes a bird",
    "   ",
    "the old man\u2028hears\u0085you",
    "my sister\x0bfollows\x0csome trees",
    "nul \x00 inside",
    "</s> <pad> [MASK] <unk>",
    "ﬁ 😀 今天天气 مرحبا",
    "word " * 100,
    "the cat sees the house",
]
STRANGE = ("\ufeff" + "\n".join(LINES) + "\n").encode() + b"bad \xff\xfe bytes \xc3\nlast line\r\n"
COUNT = len(LINES) + 2


def test_translate_keeps_lines_and_order(translator):
    out = support.run("translate", translator, stdin=STRANGE)
    lines = out.stdout.decode("utf-8").split("\n")
    assert lines.pop() == "" and len(lines) == COUNT
    assert lines[1] == "" and lines[3] == ""
    assert lines[0] == lines[10] != ""
    errors = out.stderr.decode()
    assert "warning: " in errors and "UTF-8" in errors


@pytest.mark.parametrize("options", [("--batch-size", 1), ("--batch-size", 7), ("--beam-size", 1)])
def test_a_sentence_alone_is_translated_as_in_company(translator, options):
    together = support.run("translate", translator, *options, stdin=STRANGE).stdout.split(b"\n")
    for i in (0, 2, 7):
        alone = support.run("translate", translator, *options, stdin=LINES[i] + "\n").stdout
        assert alone == together[i] + b"\n"


def test_n_best_lines_name_their_line(translator):
    lines = support.run("translate", translator, "--n-best", 2,
                        stdin="the cat sees you\n\na dog hears you\n").stdout.decode().splitlines()
    rows = [line.split(" ||| ") for line in lines]
    assert all(len(row) == 3 for row in rows), rows
    numbers = [int(row[0]) for row in rows]
    assert numbers == sorted(numbers)
    first = [row for row in rows if int(row[0]) == numbers[0]]
    assert len(first) == 2 and first[0][1] != first[1][1]
    assert float(first[0][2]) >= float(first[1][2])


def test_a_file_without_lines_gives_none(translator, classifier):
    for command, run_dir in (("translate", translator), ("classify", classifier)):
        assert support.run(command, run_dir, stdin=b"").stdout == b""


def test_a_last_line_without_newline_counts(translator):
    out = support.run("translate", translator, stdin=b"the cat sees you").stdout
    assert out.count(b"\n") == 1 and out.strip()


def test_classify_keeps_lines_and_order(classifier):
    out = support.run("classify", classifier, stdin=STRANGE).stdout.decode("utf-8").split("\n")
    assert out.pop() == "" and len(out) == COUNT
    assert out[0] == out[10]


def test_output_files_hold_what_stdout_would(translator, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(STRANGE)
    direct = support.run("translate", translator, stdin=STRANGE).stdout
    done = support.run("translate", translator, "--input", source, "--output", tmp_path / "out.txt")
    assert done.stdout == b""
    assert (tmp_path / "out.txt").read_bytes() == direct


def test_a_failure_leaves_no_partial_output(tmp_path):
    run_dir = support.train(tmp_path, "translate", data={"max_len": 10},
                            decode={"overlong": "error"}, train={"max_steps": 3})
    source = tmp_path / "in.txt"
    source.write_text("the cat sees you\n" * 3000 + "word " * 50 + "\n")
    done = support.run("translate", run_dir, "--input", source, "--output", tmp_path / "out.txt",
                       "--beam-size", 1, code=1)
    assert "3001" in support.one_line_error(done)
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith("out")) == []
