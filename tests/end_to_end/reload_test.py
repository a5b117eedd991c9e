"""A saved model answers in every new process as the trained one did, and as PyTorch computes."""
import json

import pytest

torch = pytest.importorskip("torch")  # an existing LibTorch has no Python side

import support  # noqa: E402
from reference_model import ReferenceModel  # noqa: E402

BEGIN, END = 2, 3
NEVER = [0, 1, 2]  # padding, unknown, begin


@pytest.fixture(scope="module")
def translator(tmp_path_factory):
    """Trained until its answers differ by their sources."""
    return support.train(tmp_path_factory.mktemp("translate"), "translate",
                         train={"max_steps": 250, "eval_every": 250})


def read(file):
    return file.read_text("utf-8").splitlines()


def written(lines):
    return "".join(line + "\n" for line in lines)


def test_translations_are_the_same_in_every_process(translator):
    lines = read(translator.parent / "test.en")[:20]
    first = support.run("translate", translator, stdin=written(lines)).stdout
    assert first.count(b"\n") == 20 and len(set(first.splitlines())) > 5
    for options in ((), ("--batch-size", 1), ("--batch-size", 7), ("--batch-size", 64),
                    ("--workers", 1), ("--workers", 2), ("--workers", 2, "--batch-size", 3)):
        again = support.run("translate", translator, *options, stdin=written(lines)).stdout
        assert again == first, options


def test_labels_are_the_same_in_every_process(classifier):
    lines = [line.split("\t")[1] for line in read(classifier.parent / "test.tsv")[:20]]
    first = support.run("classify", classifier, "--json", stdin=written(lines)).stdout
    assert support.run("classify", classifier, "--json", stdin=written(lines)).stdout == first
    expected = [json.loads(line) for line in first.splitlines()]
    for size in (1, 7, 64):
        out = support.run("classify", classifier, "--json", "--batch-size", size,
                          stdin=written(lines)).stdout
        for line, item in zip(out.splitlines(), expected, strict=True):
            shown = json.loads(line)
            assert shown["labels"] == item["labels"]
            assert shown["probabilities"] == pytest.approx(item["probabilities"], abs=1e-6)


def test_the_model_in_training_scored_as_the_saved_one_does(translator):
    """Validation by the process that trained it: greedy, and with the weights in memory."""
    logged = support.metrics(translator, "eval")[-1]
    out = support.run("translate", translator, "--checkpoint", "last", "--beam-size", 1, "--input",
                      translator.parent / "valid.en").stdout.decode().splitlines()
    expected = read(translator.parent / "valid.de")
    hits = sum(a == b for a, b in zip(out, expected, strict=True))
    assert logged["step"] == 250 and 0 < hits
    assert logged["exact_match"] == pytest.approx(hits / len(expected), abs=1e-12)


def greedy(reference, source_ids, pieces, limit):
    """The most probable next id, again and again, in plain PyTorch."""
    memory = reference.encode(source_ids)
    ids = []
    while len(ids) < limit and (not ids or ids[-1] != END):
        features = reference.decode([BEGIN, *ids], memory)
        log_p = reference.log_probabilities(features, pieces)[-1]
        log_p[NEVER] = -torch.inf
        ids.append(int(log_p.argmax()))
    return ids


def test_pytorch_finds_the_same_greedy_text(translator):
    lines = read(translator.parent / "test.en")[:6]
    out = support.run("translate", translator, "--checkpoint", "last", "--beam-size", 1,
                      stdin=written(lines)).stdout.decode().splitlines()
    source, target = (read(translator / "tokenizer" / f"{side}.vocab")
                      for side in ("source", "target"))
    reference = ReferenceModel(support.checkpoint(translator))
    for line, found in zip(lines, out, strict=True):
        source_ids = [*map(source.index, line.split()), END]
        ids = greedy(reference, source_ids, len(target), limit=30)
        assert ids[-1] == END
        assert " ".join(target[i] for i in ids[:-1]) == found


def test_pytorch_finds_the_same_probabilities(classifier):
    lines = [line.split("\t")[1] for line in read(classifier.parent / "test.tsv")[:6]]
    out = support.run("classify", classifier, "--checkpoint", "last", "--json",
                      stdin=written(lines)).stdout.splitlines()
    source = read(classifier / "tokenizer" / "source.vocab")
    names = json.loads((classifier / "labels.json").read_text("utf-8"))
    reference = ReferenceModel(support.checkpoint(classifier))
    for line, found in zip(lines, map(json.loads, out), strict=True):
        logits = reference.classify([*map(source.index, line.split()), END])
        expected = dict(zip(names, torch.softmax(logits, -1).tolist(), strict=True))
        shown = dict(zip(found["labels"], found["probabilities"], strict=True))
        assert shown == pytest.approx(expected, abs=1e-5)
        assert found["label"] == max(expected, key=expected.get)
