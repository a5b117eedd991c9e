"""Data of every format, what is left out of it, and what is said of it before anybody trains."""
import gzip
import hashlib
import json
import os
import shutil
import subprocess

import pytest

import support


def train(folder, config, code=0):
    """The finished process; nothing of a refused run stays."""
    file = support.write_config(folder, config)
    done = support.run("train", file, "--run", folder / "run", code=code)
    if code != 0:
        assert not (folder / "run").exists()
        return support.one_line_error(done)
    return done.stderr.decode()


def check(folder, config, *options, code=0):
    file = support.write_config(folder, config)
    return support.run("data", "check", file, *options, code=code)


def report(folder, config):
    return json.loads(check(folder, config, "--json").stdout)


def pairs_config(folder, source: str, target: str, **sections):
    """A config that trains on these lines, with the usual validation data beside them."""
    support.write_translation_data(folder)
    (folder / "own.en").write_text(source, "utf-8")
    (folder / "own.de").write_text(target, "utf-8")
    config = support.config("translate", **{"train": {"max_steps": 2, "eval_every": 0}, **sections})
    config["data"]["train"] = {"source": "own.en", "target": "own.de"}
    return config


def texts_config(folder, files: dict[str, bytes], **data):
    for name, held in files.items():
        (folder / name).write_bytes(held)
    config = support.config("classify", train={"max_steps": 2, "eval_every": 0})
    names = list(files)
    config["data"] = {"train": {"file": names[0]}, "max_len": 30, **data}
    return config


def test_unequal_files_are_refused_before_anything_is_made(tmp_path):
    error = train(tmp_path, pairs_config(tmp_path, "a\n" * 5, "b\n" * 4), code=1)
    for word in ("own.en", "5", "own.de", "4"):
        assert word in error


def test_pairs_with_an_empty_side_are_left_out_and_named(tmp_path):
    source, target = [f"s{i}" for i in range(1, 11)], [f"t{i}" for i in range(1, 11)]
    target[2], source[6] = "", " \t"
    config = pairs_config(tmp_path, "\n".join(source) + "\n", "\n".join(target) + "\n")
    said = train(tmp_path, config)
    assert "data     8 train" in said
    assert "2 left out" in said and "own.de:3" in said and "own.en:7" in said


def test_an_empty_line_of_the_valid_set_has_no_loss_and_still_a_score(tmp_path):
    config = pairs_config(tmp_path, "a b\n" * 9, "c d\n" * 9, train={"max_steps": 4, "eval_every": 2})
    (tmp_path / "valid.en").write_text("a b\na\nb\n")
    (tmp_path / "valid.de").write_text("c d\n\nd\n")
    said = train(tmp_path, config)
    assert "valid: 1 left out" in said and "valid.de:2" in said
    evals = support.metrics(tmp_path / "run", "eval")
    assert [row["step"] for row in evals] == [2, 4]
    assert all(row["sentences"] == 3 and row["target_tokens"] == 5 for row in evals)

    shutil.rmtree(tmp_path / "run")
    (tmp_path / "valid.de").write_text("\n \n\n")
    assert "none of 3 lines" in train(tmp_path, config, code=1)


def test_overlong_lines_of_the_valid_set_stop_nothing(tmp_path):
    config = pairs_config(tmp_path, "a b\n" * 9, "c d\n" * 9,
                          train={"max_steps": 2, "eval_every": 1, "batch_tokens": 32})
    config["data"]["max_len"] = 32
    (tmp_path / "valid.en").write_text("a b\n" + "a " * 33 + "\n" + "b\n")
    (tmp_path / "valid.de").write_text("c d\n" + "c\n" + "d " * 200 + "\n")
    said = train(tmp_path, config)
    assert "valid.en:2 with 33 tokens" in said and "valid.de:3 with 200 tokens" in said
    assert support.metrics(tmp_path / "run", "eval")[-1]["sentences"] == 3

    shutil.rmtree(tmp_path / "run")
    config["data"]["max_len"] = 256
    said = train(tmp_path, config)
    assert "valid:" not in said
    assert support.metrics(tmp_path / "run", "eval")[-1]["target_tokens"] == 3 + 2 + 201


def test_unbalanced_pairs_are_left_out_of_training_and_of_the_loss(tmp_path):
    config = pairs_config(tmp_path, "a b\n" + "a " * 20 + "\n", "c d\nc\n",
                          train={"max_steps": 1, "eval_every": 1})
    config["data"]["max_ratio"] = 2.5
    (tmp_path / "valid.en").write_text("a b\n" + "a " * 12 + "\n")
    (tmp_path / "valid.de").write_text("c d\nc\n")
    said = train(tmp_path, config)
    assert "data     1 train" in said
    assert "own.en:2 with 20 and 1 tokens" in said and "valid.en:2 with 12 and 1 tokens" in said
    assert support.metrics(tmp_path / "run", "eval")[-1]["target_tokens"] == 3


def test_several_gzipped_files_are_one_split_and_faults_name_the_right_one(tmp_path):
    config = pairs_config(tmp_path, "a\nb\n", "c\nd\n")
    (tmp_path / "more.en").write_bytes(gzip.compress(b"e\n\ng\n"))
    (tmp_path / "more.de").write_bytes(gzip.compress(b"f\nf\nh\n"))
    config["data"]["train"] = {"source": ["own.en", "more.en"], "target": ["own.de", "more.de"]}
    said = train(tmp_path, config)
    assert "data     4 train" in said and "more.en:2" in said
    resolved = json.loads((tmp_path / "run" / "config.json").read_text())
    assert resolved["data"]["train"]["source"] == [str(tmp_path / "own.en"), str(tmp_path / "more.en")]

    shutil.rmtree(tmp_path / "run")
    (tmp_path / "more.de").write_bytes(gzip.compress(b"f\nf\nh\n")[:-6])
    error = train(tmp_path, config, code=1)
    assert "more.de:" in error and "gzip" in error
    config["data"]["train"]["target"] = ["own.de"]
    assert "data.train.target" in train(tmp_path, config, code=2)


def test_prefixes_are_learned_with_the_text(tmp_path):
    config = pairs_config(tmp_path, "a b\n" * 4, "c\n" * 4)
    config["data"]["source_prefix"] = "<2de>"
    train(tmp_path, config)
    vocabulary = (tmp_path / "run" / "tokenizer" / "source.vocab").read_text().split("\n")
    assert "2" in "".join(vocabulary)


QUOTED = (b'text,label\r\n"He said ""go, now"", and left",neg\r\n"line one\nline two",pos\r\n'
          b'plain,pos\r\n')


def test_quoted_fields_of_csv_are_one_record_each(tmp_path):
    config = texts_config(tmp_path, {"own.csv": QUOTED}, format="csv")
    assert "data     3 train" in train(tmp_path, config)
    found = report(tmp_path, config)["splits"]["train"]
    assert found["lines"] == 3 and found["labels"] == {"neg": 1, "pos": 2}
    assert found["sides"]["text"]["characters"]["max"] == len('He said "go, now", and left')


def test_any_delimiter_and_a_quote_without_an_end(tmp_path):
    held = b'label;text\nx;"hi; I am\n""why"" not"\n'
    config = texts_config(tmp_path, {"own.csv": held}, format="csv", delimiter=";")
    assert report(tmp_path, config)["splits"]["train"]["lines"] == 1
    (tmp_path / "own.csv").write_bytes(b'label;text\nx;"a"\ny;"never\nclosed\n')
    assert "own.csv:3" in train(tmp_path, config, code=1)


def test_json_lines_and_their_faults(tmp_path):
    held = b'{"label": 1, "sentence": "a b"}\n{"sentence": "c", "label": 2}\n'
    config = texts_config(tmp_path, {"own.jsonl": held}, format="jsonl", text="sentence")
    train(tmp_path, config)
    assert json.loads((tmp_path / "run" / "labels.json").read_text()) == ["1", "2"]
    shutil.rmtree(tmp_path / "run")
    (tmp_path / "own.jsonl").write_bytes(held + b'{"label": 1}\n')
    assert "own.jsonl:3" in train(tmp_path, config, code=1)


def test_a_second_text_is_read_behind_the_first(tmp_path):
    held = b"label\ttext\tother\nx\ta b\tc\ny\ta\tb c d\n"
    config = texts_config(tmp_path, {"own.tsv": held}, second="other")
    found = report(tmp_path, config)["splits"]["train"]
    assert found["used"] == 2 and found["sides"]["text"]["tokens"]["max"] == 5
    train(tmp_path, config)


def test_a_label_the_training_does_not_know_is_named(tmp_path):
    config = texts_config(tmp_path, {"own.tsv": b"a\tx y\nb\ty\n",
                                     "valid.tsv": b"a\tx\nb\ty\na\tx\nc\ty\n"})
    config["data"]["valid"] = {"file": "valid.tsv"}
    error = train(tmp_path, config, code=1)
    assert "valid.tsv:4" in error and "'c'" in error and "a, b" in error
    assert "valid.tsv:4" in support.one_line_error(check(tmp_path, config, code=1))

    del config["data"]["valid"]
    train(tmp_path, config)
    error = support.one_line_error(
        support.run("eval", tmp_path / "run", "--data", tmp_path / "valid.tsv", code=1))
    assert "valid.tsv:4" in error and "'c'" in error and "a, b" in error


def test_a_check_finds_what_is_suspicious(tmp_path):
    source = ["the cat sees you", "a dog", "the cat sees you", "12 - 14 : 3", "x" * 60, "", "same"]
    target = ["die Katze", "ein Hund", "die Katze", "um drei", "lang", "leer", "same"]
    config = pairs_config(tmp_path, "\n".join(source) + "\n", "\n".join(target) + "\n")
    (tmp_path / "valid.en").write_text("a dog\nnew one\n")
    (tmp_path / "valid.de").write_text("ein Hund\nneu\n")
    found = report(tmp_path, config)
    own = found["splits"]["train"]
    assert own["lines"] == 7 and own["used"] == 6
    assert own["left_out"]["empty"] == {"count": 1, "first": [f"{tmp_path}/own.en:6"]}
    assert own["repeated"] == {"count": 1, "first": [f"{tmp_path}/own.en:3"]}
    suspicious = {kind: lines["first"] for kind, lines in own["suspicious"].items() if lines["count"]}
    assert suspicious == {"copied": [f"{tmp_path}/own.en:7"],
                          "few_letters": [f"{tmp_path}/own.en:4"],
                          "long_word": [f"{tmp_path}/own.en:5"]}
    valid = found["splits"]["valid"]
    assert valid["in_train"] == {"count": 1, "first": [f"{tmp_path}/valid.en:1"]}
    assert valid["sides"]["source"]["unknown_share"] == 0.5

    text = check(tmp_path, config).stdout.decode()
    assert all(len(line) <= 80 for line in text.splitlines()), text
    for word in ("own.en:3", "own.en:7", "valid.en:1", "copied", "95 %", "50.000 %"):
        assert word in text, text


def test_a_check_shortens_names_and_keeps_line_numbers(tmp_path):
    config = pairs_config(tmp_path, "a\n\n", "b\n\n")
    long = "a_rather_long_name_of_a_file_of_training_text_" * 2
    for side, own in (("source", "en"), ("target", "de")):
        (tmp_path / f"own.{own}").rename(tmp_path / f"{long}.{own}")
        config["data"]["train"][side] = f"{long}.{own}"
    text = check(tmp_path, config).stdout.decode()
    assert all(len(line) <= 80 for line in text.splitlines()), text
    heading, empty = [next(line for line in text.splitlines() if line.startswith(begin))
                      for begin in ("train ", "  left out, empty")]
    assert "2 lines, 1 used · a_rather" in heading and "….en" not in heading and ".en, ..." in heading
    assert empty.split()[-1].startswith("a_rather") and "…" in empty and empty.endswith(".en:2")

    table = texts_config(tmp_path, {"own.tsv": f"{'x' * 30}\ta\nb\tc\n".encode()})
    assert f"label {'x' * 23}… " in check(tmp_path, table).stdout.decode()


def test_one_line_is_counted_as_one(tmp_path):
    assert "train    1 line, 1 used ·" in check(tmp_path, pairs_config(tmp_path, "a\n", "b\n")).stdout.decode()


def test_a_label_with_a_line_end_is_refused_by_its_line(tmp_path):
    config = texts_config(tmp_path, {"own.csv": b'label,text\n"x\ny",a\nz,b\n'}, format="csv")
    assert "own.csv:2: the label 'x\\x0ay' holds a line end" in train(tmp_path, config, code=1)


def test_a_check_refuses_what_a_training_would(tmp_path):
    config = pairs_config(tmp_path, "a\n" * 5, "b\n" * 4)
    assert support.one_line_error(check(tmp_path, config, code=1)) == train(tmp_path, config, code=1)
    config = pairs_config(tmp_path, "\n\n", "b\n\n")
    assert support.one_line_error(check(tmp_path, config, code=1)) == train(tmp_path, config, code=1)
    config["data"]["max_ration"] = 3
    assert "max_ratio" in support.one_line_error(check(tmp_path, config, code=2))


GET_DATA = support.ROOT / "scripts" / "get_data.sh"


@pytest.fixture
def repository(tmp_path):
    """The script as in a repository of its own, with made-up sums for a tiny set."""
    shutil.copytree(GET_DATA.parent / "data", tmp_path / "repository" / "scripts" / "data")
    shutil.copy(GET_DATA, tmp_path / "repository" / "scripts")
    given = tmp_path / "given" / "trec6"
    given.mkdir(parents=True)
    sums = ""
    for name in ("train.tsv", "test.tsv", "train.fine.tsv", "test.fine.tsv"):
        held = f"NUM\t{name} ?\n".encode()
        (given / name).write_bytes(held)
        sums += f"{hashlib.sha256(held).hexdigest()}  trec6/{name}\n"
    (tmp_path / "repository" / "scripts" / "data" / "checksums.txt").write_text(sums)
    return tmp_path / "repository"


def get_data(repository, *names, code=0, **environment):
    # A proxy that is nowhere: without a network, whatever the machine has.
    done = subprocess.run([repository / "scripts" / "get_data.sh", *names], capture_output=True,
                          env={**os.environ, "https_proxy": "http://127.0.0.1:9", **environment})
    assert done.returncode == code, done.stderr.decode()
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def test_a_local_copy_of_a_data_set_is_taken_and_checked(repository):
    given = repository.parent / "given"
    assert "copied" in get_data(repository, "trec6", HEED_DATA=str(given))
    made = repository / "data" / "trec6"
    assert {file.name for file in made.iterdir()} == {file.name for file in (given / "trec6").iterdir()}
    assert "already" in get_data(repository, "trec6", HEED_DATA=str(given))

    (made / "test.tsv").write_text("changed\n")
    assert "trec6/test.tsv: sha256" in get_data(repository, "trec6", code=1)
    shutil.rmtree(made)
    (given / "trec6" / "test.tsv").write_text("changed\n")
    error = get_data(repository, "trec6", code=1, HEED_DATA=str(given))
    assert "trec6/test.tsv: sha256" in error
    assert [file.name for file in (repository / "data").iterdir()] == []


def test_without_a_network_or_a_name_one_line_says_so(repository):
    error = get_data(repository, "trec6", code=1, HEED_DATA="")
    assert "can't be fetched" in error and "HEED_DATA" in error
    assert not (repository / "data" / "trec6").exists()
    assert "multi30k_en_de" in get_data(repository, "imagenet", code=2)
    assert "multi30k_en_de" in get_data(repository, code=2)
