"""A text of data.max_len tokens is used whole; a longer one is cut, counted, marked, or refused."""
import json
import shutil

import pytest

import support

MAX_LEN = 16
LENGTHS = [13, 14, 15, 16, 17, 200]
SHORT = {"translate": "the cat sees you", "classify": "one first two second"}
CUT = "2 lines were cut to 16 tokens (data.max_len)"


def text(task, length, first=0):
    words = {"translate": "the cat sees a dog my sister follows some trees",
             "classify": "one two first three four second"}[task].split()
    return " ".join(words[(first + i) % len(words)] for i in range(length))


def lines_of(task, lengths=LENGTHS):
    """Before each length a short line, so that line 2 * i + 2 has lengths[i] words."""
    return [line for n, length in enumerate(lengths)
            for line in (SHORT[task], text(task, length, n))]


def whole(lines):
    """The same lines, cut by hand."""
    return [" ".join(line.split()[:MAX_LEN]) for line in lines]


def written(lines):
    return "".join(line + "\n" for line in lines)


def length_warnings(errors):
    """What is said of sources; a result may have met its own limit."""
    return [line for line in errors.splitlines() if "(data.max_len)" in line]


def train(task, folder, positions):
    return support.train(folder, task, data={"max_len": MAX_LEN}, model={"positions": positions})


@pytest.fixture(scope="module", params=["sinusoidal", "learned"])
def translator(request, tmp_path_factory):
    return train("translate", tmp_path_factory.mktemp("translate"), request.param)


@pytest.fixture(scope="module", params=["sinusoidal", "learned"])
def classifier(request, tmp_path_factory):
    return train("classify", tmp_path_factory.mktemp("classify"), request.param)


def attend(run_dir, folder, lines):
    source = folder / "in.txt"
    source.write_text(written(lines), "utf-8")
    done = support.run("attend", run_dir, "--input", source, "--out", folder / "out.json")
    sentences = json.loads((folder / "out.json").read_text("utf-8"))["sentences"]
    return done.stderr.decode(), sentences


def test_translations_of_long_lines_are_those_of_their_beginnings(translator):
    lines = lines_of("translate")
    done = support.run("translate", translator, stdin=written(lines))
    assert done.stdout.count(b"\n") == len(lines)
    [warning] = length_warnings(done.stderr.decode())
    assert warning == f"warning: standard input: {CUT}"
    by_hand = support.run("translate", translator, stdin=written(whole(lines)))
    assert by_hand.stdout == done.stdout and not length_warnings(by_hand.stderr.decode())


def test_a_long_line_leaves_the_translations_of_others_alone(translator):
    together = support.run("translate", translator, stdin=written(lines_of("translate")))
    fitting = lines_of("translate", [n for n in LENGTHS if n <= MAX_LEN])
    apart = support.run("translate", translator, stdin=written(fitting))
    assert not length_warnings(apart.stderr.decode())
    assert together.stdout.splitlines()[:len(fitting)] == apart.stdout.splitlines()


def test_labels_of_long_lines_are_those_of_their_beginnings(classifier):
    lines = lines_of("classify")
    done = support.run("classify", classifier, stdin=written(lines))
    assert done.stdout.count(b"\n") == len(lines) and CUT in done.stderr.decode()
    by_hand = support.run("classify", classifier, stdin=written(whole(lines)))
    assert by_hand.stdout == done.stdout and by_hand.stderr == b""


def test_classify_marks_long_lines_in_json_and_tells_both_counts(classifier):
    lines = lines_of("classify")
    done = support.run("classify", classifier, "--json", stdin=written(lines))
    by_hand = support.run("classify", classifier, "--json", stdin=written(whole(lines)))
    shown = [json.loads(line) for line in done.stdout.decode().splitlines()]
    expected = [json.loads(line) for line in by_hand.stdout.decode().splitlines()]
    for line, item, beginning in zip(lines, shown, expected, strict=True):
        assert item["tokens"] == len(line.split())
        assert item["truncated"] is (item["tokens"] > MAX_LEN)
        assert beginning["truncated"] is False and item["labels"] == beginning["labels"]
        assert item["probabilities"] == pytest.approx(beginning["probabilities"], abs=1e-6)


def attended_as_their_beginnings(task, run_dir, folder):
    """Yields the sentences of lines_of(task), once what holds for both tasks is asserted."""
    lines = lines_of(task)
    errors, sentences = attend(run_dir, folder, lines)
    assert f"in.txt: {CUT}" in errors
    errors, by_hand = attend(run_dir, folder, whole(lines))
    assert not length_warnings(errors)
    for line, sentence, beginning in zip(lines, sentences, by_hand, strict=True):
        count = len(line.split())
        source = sentence["source"]
        assert source["truncated"] is (count > MAX_LEN) and source["text"] == line
        assert len(source["ids"]) == min(count, MAX_LEN) + 1  # and the end
        assert source["ids"] == beginning["source"]["ids"]
        assert all(len(row) == len(source["ids"]) for a in sentence["attention"]
                   if a["kind"] != "decoder" for row in a["weights"])
        yield sentence, beginning


def test_attend_reads_just_as_many_tokens_of_a_translation(translator, tmp_path):
    for found, beginning in attended_as_their_beginnings("translate", translator, tmp_path):
        assert found["target"]["ids"] == beginning["target"]["ids"]
        assert len(found["target"]["ids"]) <= MAX_LEN + 1


def test_attend_reads_just_as_many_tokens_of_a_classification(classifier, tmp_path):
    for found, beginning in attended_as_their_beginnings("classify", classifier, tmp_path):
        assert found["prediction"]["labels"] == beginning["prediction"]["labels"]


COMMANDS = [("translate", "translate", "--output"), ("translate", "attend", "--out"),
            ("classify", "classify", "--output"), ("classify", "attend", "--out")]


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """Runs by task, each with decode.overlong = error in its config."""
    runs = {}
    for task in ("translate", "classify"):
        folder = tmp_path_factory.mktemp(task)
        runs[task] = support.train(folder, task, data={"max_len": MAX_LEN},
                                   train={"max_steps": 2}, decode={"overlong": "error"})
    return runs


@pytest.mark.parametrize("task, command, out", COMMANDS)
def test_where_long_lines_are_an_error_the_first_is_named(task, command, out, strict, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text(written(lines_of(task)), "utf-8")
    options = ("--input", source, out, tmp_path / "result")
    error = support.refused(command, strict[task], *options, code=1)
    assert "in.txt:10: 17 tokens, at most 16 (data.max_len)" in error
    assert [file.name for file in tmp_path.iterdir()] == ["in.txt"]

    fitting = lines_of(task, [n for n in LENGTHS if n <= MAX_LEN])
    source.write_text(written(fitting), "utf-8")
    assert not length_warnings(support.run(command, strict[task], *options).stderr.decode())


def test_long_lines_can_be_read_in_parts(translator):
    """Without ends of sentences a part is as many words as fit."""
    lines = lines_of("translate")
    done = support.run("translate", translator, "--overlong", "split", stdin=written(lines))
    [warning] = length_warnings(done.stderr.decode())
    assert "2 lines are over 16 tokens" in warning
    parts = [[" ".join(words[i:i + MAX_LEN]) for i in range(0, len(words), MAX_LEN)]
             for words in (line.split() for line in lines)]
    apart = support.run("translate", translator, stdin=written(sum(parts, [])))
    answers = iter(apart.stdout.decode().splitlines())
    expected = [" ".join(next(answers) for _ in of_line) for of_line in parts]
    assert done.stdout.decode() == written(expected)


SENTENCES = ["the cat sees you ?", "a dog likes some trees ?", "my sister hears the house ?"] * 6


def test_every_sentence_of_a_long_line_is_translated_by_itself(translator):
    done = support.run("translate", translator, "--overlong", "split", stdin=" ".join(SENTENCES) + "\n")
    assert done.stdout.count(b"\n") == 1
    apart = support.run("translate", translator, stdin=written(SENTENCES)).stdout.decode()
    assert done.stdout.decode() == " ".join(line for line in apart.splitlines() if line) + "\n"


@pytest.fixture(scope="module")
def pair_classifier(tmp_path_factory):
    """Reads two texts a line, 16 tokens at most, the </s> between them included."""
    folder = tmp_path_factory.mktemp("pairs")
    lines = "".join(f"{label}\t{a}\t{b}\n" for label, a, b in
                    [("same", "one two", "one two"), ("other", "one two", "three")] * 40)
    for split in ("train", "valid"):
        (folder / f"{split}.tsv").write_text("label\ttext\tother\n" + lines, "utf-8")
    config = support.config("classify", data={"max_len": MAX_LEN, "second": "other", "test": {"file": ""}},
                            train={"max_steps": 2, "eval_every": 2})
    support.run("train", support.write_config(folder, config), "--run", folder / "run")
    return folder / "run"


def test_pairs_that_are_too_long_are_cut_at_the_end_or_refused(pair_classifier):
    pairs = [" ".join(["one"] * 8) + "\t" + " ".join(["two"] * second) for second in (7, 8, 40)]
    done = support.run("classify", pair_classifier, "--json", stdin=written(pairs))
    assert CUT in done.stderr.decode()
    shown = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [item["truncated"] for item in shown] == [False, True, True]
    assert [item["tokens"] for item in shown] == [16, 17, 49]
    for item in shown[1:]:
        assert item["probabilities"] == pytest.approx(shown[0]["probabilities"], abs=1e-6)
    error = support.refused("classify", pair_classifier, "--overlong", "error", code=1, stdin=written(pairs))
    assert "standard input:2: 17 tokens, at most 16" in error and "split" not in error


def test_pairs_are_not_read_in_parts(pair_classifier, tmp_path):
    for command in (("classify",), ("eval",), ("attend", "--source", "one\ttwo")):
        error = support.refused(command[0], pair_classifier, *command[1:], "--overlong", "split", code=2,
                                stdin="one\ttwo\n")
        assert "--overlong: a pair of texts" in error and "truncate" in error
    config = json.loads((pair_classifier.parent / "small.json").read_text())
    config["decode"]["overlong"] = "split"
    file = support.write_config(tmp_path, config)
    assert "decode.overlong: a pair of texts" in support.refused("train", file, code=2)


def test_the_command_line_decides_over_the_run(strict, translator):
    long = text("translate", 17) + "\n"
    done = support.run("translate", strict["translate"], "--overlong", "truncate", stdin=long)
    assert "1 line was cut to 16 tokens" in done.stderr.decode()
    error = support.refused("translate", translator, "--overlong", "error", code=1, stdin=long)
    assert "standard input:1: 17 tokens" in error


def test_attend_names_a_long_text_of_the_command_line(strict, tmp_path):
    for task, run_dir in strict.items():
        error = support.refused("attend", run_dir, "--source", text(task, 200), code=1)
        assert "--source" in error and "200 tokens" in error
    error = support.refused("attend", strict["translate"], "--source", "the cat", "--target",
                            text("translate", 17), code=1)
    assert "--target" in error and "17 tokens" in error


def test_evaluation_scores_every_line_whatever_its_length(translator, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(translator, copy)
    lines = lines_of("translate")
    for name in ("long.en", "long.de"):
        (tmp_path / name).write_text(written(lines), "utf-8")
    files = ("--source", tmp_path / "long.en", "--target", tmp_path / "long.de")
    done = support.run("eval", copy, *files, "--json")
    scores = json.loads(done.stdout)
    assert scores["sentences"] == len(lines)
    fitting = [line for line in lines if len(line.split()) <= MAX_LEN]
    assert scores["target_tokens"] == sum(len(line.split()) + 1 for line in fitting)
    errors = done.stderr.decode()
    assert "long.en:10" in errors and "long.en:12" in errors
