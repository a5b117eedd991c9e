"""What heed eval says is what anyone computes from heed's own outputs."""
import json
import math
import random
import shutil

import pytest
import sacrebleu

import support


def evaluate(run_dir, *options):
    done = support.run("eval", run_dir, "--json", *options)
    assert done.stdout.count(b"\n") == 1
    return json.loads(done.stdout)


def read(file):
    return file.read_text("utf-8").splitlines()


@pytest.mark.parametrize("split", ["valid", "test"])
def test_translation_scores_are_sacrebleus(translator, split):
    folder = translator.parent
    scores = evaluate(translator, "--split", split)
    hypotheses = support.run("translate", translator, "--input", folder / f"{split}.en").stdout.decode()
    hypotheses, references = hypotheses.splitlines(), read(folder / f"{split}.de")
    bleu, chrf = sacrebleu.BLEU(), sacrebleu.CHRF()
    assert abs(scores["bleu"] - bleu.corpus_score(hypotheses, [references]).score) < 1e-9
    assert abs(scores["chrf"] - chrf.corpus_score(hypotheses, [references]).score) < 1e-9
    assert scores["bleu_signature"] == str(bleu.get_signature())
    assert scores["chrf_signature"] == str(chrf.get_signature())
    matches = sum(h == r for h, r in zip(hypotheses, references)) / len(references)
    assert scores["exact_match"] == pytest.approx(matches)
    assert scores["sentences"] == len(references)
    assert scores["target_tokens"] == sum(len(line.split()) + 1 for line in references)
    assert scores["ppl"] == pytest.approx(math.exp(scores["nll"]), rel=1e-6)
    assert 0 <= scores["token_accuracy"] <= 1 and scores["seconds"] > 0


def evaluated_in_batches(run_dir, batch_tokens, copy, *options):
    """The loss is computed in batches of train.batch_tokens, as the run's config says."""
    if not copy.exists():
        shutil.copytree(run_dir, copy)
    support.edit_json(copy / "config.json",
                      lambda config: config["train"].update({"batch_tokens": batch_tokens}))
    return evaluate(copy, *options)


def test_translation_loss_does_not_depend_on_the_batch(translator, tmp_path):
    """Sentences of 1 to 20 words: alone, a few together with a rest, and all at once."""
    draw = random.Random(5)
    english = [draw.choices(list(support.GERMAN), k=n % 20 + 1) for n in range(43)]
    for name, line in (("en", " ".join), ("de", lambda w: " ".join(map(support.GERMAN.get, w)))):
        (tmp_path / f"varied.{name}").write_text("".join(line(w) + "\n" for w in english), "utf-8")
    files = ("--source", tmp_path / "varied.en", "--target", tmp_path / "varied.de")

    base = evaluated_in_batches(translator, 10**6, tmp_path / "copy", *files)
    assert base["target_tokens"] == sum(len(words) + 1 for words in english)
    for batch_tokens in (1, 70, 200):
        other = evaluated_in_batches(translator, batch_tokens, tmp_path / "copy", *files)
        for key in ("loss", "nll", "ppl", "token_accuracy"):
            assert other[key] == pytest.approx(base[key], rel=1e-5), (batch_tokens, key)
        for key in ("target_tokens", "bleu", "chrf"):
            assert other[key] == base[key], (batch_tokens, key)
        assert other["ppl"] == pytest.approx(math.exp(other["nll"]), rel=1e-6)


def test_classification_loss_does_not_depend_on_the_batch(classifier, tmp_path):
    base = evaluated_in_batches(classifier, 10**6, tmp_path / "copy")
    for batch_tokens in (1, 37):
        other = evaluated_in_batches(classifier, batch_tokens, tmp_path / "copy")
        for key in ("loss", "nll", "ppl", "accuracy"):
            assert other[key] == pytest.approx(base[key], rel=1e-5), (batch_tokens, key)


def test_scores_do_not_depend_on_the_sentences_at_once(translator):
    base = evaluate(translator)
    for size in (1, 7):
        other = evaluate(translator, "--batch-size", size)
        assert {k: v for k, v in other.items() if k != "seconds"} == {
            k: v for k, v in base.items() if k != "seconds"}


def test_files_can_be_named_instead_of_a_split(translator):
    folder = translator.parent
    named = evaluate(translator, "--source", folder / "test.en", "--target", folder / "test.de")
    split = evaluate(translator, "--split", "test")
    for key in ("loss", "bleu", "chrf", "exact_match", "target_tokens"):
        assert named[key] == split[key]


def test_checkpoints_can_be_chosen(translator):
    losses = {which: evaluate(translator, "--checkpoint", which)["loss"]
              for which in ("best", "last", "step-30", "step-60")}
    assert losses["last"] == losses["step-60"] != losses["step-30"]
    path = translator / "checkpoints" / "step-000030"
    assert evaluate(translator, "--checkpoint", path)["loss"] == losses["step-30"]


def test_what_training_logged_is_what_eval_says(translator, classifier):
    for run_dir, keys in ((translator, ("loss", "ppl", "bleu", "exact_match")),
                          (classifier, ("loss", "accuracy"))):
        logged = support.metrics(run_dir, "eval")[-1]
        more = ("--beam-size", 1) if run_dir == translator else ()  # greedy, as in training
        scores = evaluate(run_dir, "--checkpoint", "last", "--split", "valid", *more)
        for key in keys:
            assert logged[key] == pytest.approx(scores[key], rel=1e-5), key


def test_classification_scores_follow_from_the_labels(classifier):
    folder = classifier.parent
    scores = evaluate(classifier, "--split", "test")
    rows = [line.split("\t") for line in read(folder / "test.tsv")]
    out = support.run("classify", classifier, stdin="".join(text + "\n" for _, text in rows))
    predicted = [line.split("\t")[0] for line in out.stdout.decode().splitlines()]
    hits = sum(label == guess for (label, _), guess in zip(rows, predicted, strict=True))
    assert scores["accuracy"] == pytest.approx(hits / len(rows))
    assert scores["sentences"] == len(rows)

    f1 = []
    for name in ("no", "yes"):
        both = sum(label == guess == name for (label, _), guess in zip(rows, predicted))
        either = [label for label, _ in rows].count(name) + predicted.count(name)
        f1.append(2 * both / either)
        assert scores["per_class"][name]["f1"] == pytest.approx(f1[-1])
        assert scores["per_class"][name]["support"] == [label for label, _ in rows].count(name)
    assert scores["macro_f1"] == pytest.approx(sum(f1) / 2)
    assert sum(map(sum, scores["confusion"])) == len(rows)
    named = evaluate(classifier, "--data", folder / "test.tsv")
    assert named["accuracy"] == scores["accuracy"]


def test_without_json_a_person_reads_the_same_numbers(translator, classifier):
    scores = evaluate(translator, "--split", "test")
    text = support.run("eval", translator, "--split", "test").stdout.decode()
    assert f"{scores['bleu']:.2f}" in text and scores["bleu_signature"] in text
    assert "accuracy" in support.run("eval", classifier, "--split", "test").stdout.decode()


CASES = [
    ("\nthe cat sat on the mat today .\n", "a dog barked .\nthe cat sat on the mat today .\n", (), 60.65, 75.36),
    ("\n\n", "a b\nc\n", (), 0, 0),
    ("\n\n", "\n\n", (), 0, 0),
    ("Hello, world! It is late.\n", "Hello , world ! It is late .\n", (), 100.0, 100.0),
    ("Hello, world! It is late.\n", "Hello , world ! It is late .\n", ("--tokenize", "none"), 11.73, 100.0),
    ("the cat sat on a mat\n", "the cat sat on the mat\n", (), 53.73, 65.98),
    ("yes\n", "yes\n", (), 0, 100.0),
    ("今天天气很好\n", "今天天气不错\n", ("--tokenize", "zh"), 50.81, 35.0),
    ("今天天气很好\n", "今天天气不错\n", (), 0, 35.0),
    ("THE cat sat on the mat today .\n", "the cat sat on the mat today .\n", (), 84.09, None),
    ("THE cat sat on the mat today .\n", "the cat sat on the mat today .\n", ("--lowercase",), 100.0, 100.0),
]


@pytest.mark.parametrize("hypothesis, reference, options, bleu, chrf", CASES)
def test_score_prints_known_numbers(hypothesis, reference, options, bleu, chrf, tmp_path):
    (tmp_path / "h").write_text(hypothesis, "utf-8")
    (tmp_path / "r").write_text(reference, "utf-8")
    files = ("--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    scores = json.loads(support.run("score", *files, *options, "--json").stdout)
    assert scores["bleu"] == pytest.approx(bleu, abs=0.005)
    if chrf is not None:
        assert scores["chrf"] == pytest.approx(chrf, abs=0.005)
    text = support.run("score", *files, *options).stdout.decode()
    assert f"BLEU|{scores['bleu_signature']} = {scores['bleu']:.2f}" in text
    assert f"chrF2|{scores['chrf_signature']} = {scores['chrf']:.2f}" in text


def test_score_warns_of_pieces(tmp_path):
    (tmp_path / "h").write_text("fine\n▁The ▁cat\n", "utf-8")
    (tmp_path / "r").write_text("fine\nThe cat\n", "utf-8")
    done = support.run("score", "--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    assert "warning: " in done.stderr.decode() and "h:2" in done.stderr.decode()
