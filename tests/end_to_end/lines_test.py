"""N lines in, N lines out, in order, whatever is in them; stdout holds results and nothing else."""
import gzip

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


@pytest.mark.parametrize("text, count", [(b"a\nb", 2), (b"a\nb\n", 2), (b"a\nb\n\n", 3), (b"", 0)])
def test_every_command_counts_lines_alike(translator, classifier, text, count):
    for command, run_dir in (("translate", translator), ("classify", classifier)):
        assert support.run(command, run_dir, stdin=text).stdout.count(b"\n") == count
    model = next((translator / "tokenizer").glob("source.vocab"))
    encoded = support.run("tokenizer", "encode", "--model", model, "--type", "word", stdin=text)
    assert encoded.stdout.count(b"\n") == count


def test_blank_lines_shift_nothing_for_any_batch(translator):
    lines = ["" if i % 4 == 3 else f"the cat sees w{i} {'a ' * (i % 5)}you" for i in range(1300)]
    text = "".join(line + "\n" for line in lines)
    outs = [support.run("translate", translator, "--beam-size", 1, "--batch-size", size,
                        stdin=text).stdout for size in (1, 16, 64)]
    assert outs[0] == outs[1] == outs[2]
    out = outs[0].decode().split("\n")
    assert out.pop() == "" and len(out) == len(lines)
    assert all((line == "") <= (result == "") for line, result in zip(lines, out))
    alone = support.run("translate", translator, "--beam-size", 1, stdin=lines[1298] + "\n").stdout
    assert alone.decode() == out[1298] + "\n"


def test_white_space_alone_is_an_empty_line(translator, classifier):
    text = "the cat sees you\n\n   \na dog hears you\n"
    for command, run_dir in (("translate", translator), ("classify", classifier)):
        out = support.run(command, run_dir, stdin=text).stdout.decode().split("\n")
        assert len(out) == 5 and out[1] == out[2] == ""
        for place, line in ((0, "the cat sees you\n"), (3, "a dog hears you\n")):
            alone = support.run(command, run_dir, stdin=line).stdout.decode()
            assert alone == out[place] + "\n"


def test_line_breaks_of_unicode_end_no_line_of_a_training(tmp_path):
    (tmp_path / "train.en").write_bytes(
        b"one\xe2\x80\xa8two\nthree\x0bfour\x0cfive\nsix\xc2\x85seven\n")
    (tmp_path / "train.de").write_text("eins\ndrei\nsechs\n")
    config = support.config("translate", train={"max_steps": 1, "eval_every": 0})
    config["data"] = {"train": config["data"]["train"], "max_len": 30}
    done = support.run("train", support.write_config(tmp_path, config), "--run", tmp_path / "run")
    assert "data     3 train" in done.stderr.decode()
    vocabulary = (tmp_path / "run" / "tokenizer" / "source.vocab").read_text().split("\n")
    assert {"one", "two", "three", "four", "five", "six", "seven"} <= set(vocabulary)


def test_gzipped_input_is_read_like_plain(translator, tmp_path):
    (tmp_path / "in").write_bytes(gzip.compress(STRANGE))
    direct = support.run("translate", translator, stdin=STRANGE).stdout
    assert support.run("translate", translator, "--input", tmp_path / "in").stdout == direct
    (tmp_path / "in").write_bytes(gzip.compress(STRANGE)[:-30])
    error = support.one_line_error(
        support.run("translate", translator, "--input", tmp_path / "in", "--output",
                    tmp_path / "out", code=1))
    assert f"{tmp_path}/in:" in error and "gzip" in error
    assert not (tmp_path / "out").exists()
