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


def table(text, title):
    """The rows below the line that begins with `title`, cell by cell."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(title)) + 1
    end = lines.index("", begin) if "" in lines[begin:] else len(lines)
    return [line.split() for line in lines[begin:end]]


def test_what_a_person_reads_fits_eighty_columns(translator, classifier):
    for run_dir, more in ((translator, ()), (classifier, ("--top-k", 2))):
        text = support.run("eval", run_dir, "--breakdown", *more).stdout.decode()
        assert max(map(len, text.splitlines())) <= 80, text


def test_ter_is_sacrebleus(translator):
    folder = translator.parent
    scores = evaluate(translator, "--split", "test")
    hypotheses = support.run("translate", translator, "--input", folder / "test.en").stdout.decode()
    ter = sacrebleu.TER()
    assert scores["ter"] == pytest.approx(ter.corpus_score(hypotheses.splitlines(), [read(folder / "test.de")]).score)
    assert scores["ter_signature"] == str(ter.get_signature())
    assert "breakdown" not in scores


def test_translations_are_broken_down_by_length_and_unknown_words(translator, tmp_path):
    """Lines with 0 to 3 words that training never saw, and an empty one."""
    folder = translator.parent
    sources = read(folder / "test.en")[:12]
    sources = [" ".join(["zebra"] * (i % 4) + [line]) for i, line in enumerate(sources)] + [""]
    references = read(folder / "test.de")[:12] + ["Hund"]
    (tmp_path / "s").write_text("".join(line + "\n" for line in sources), "utf-8")
    (tmp_path / "t").write_text("".join(line + "\n" for line in references), "utf-8")
    named = ("--source", tmp_path / "s", "--target", tmp_path / "t", "--breakdown")
    breakdown = evaluate(translator, *named)["breakdown"]

    hypotheses = support.run("translate", translator, "--input", tmp_path / "s").stdout.decode().splitlines()
    lengths = [len(line.split()) for line in sources]
    unknown = [line.split().count("zebra") for line in sources]
    for kind, numbers in (("length", lengths), ("unknown", unknown)):
        rows = breakdown[kind]
        assert sum(row["sentences"] for row in rows) == len(sources)
        for row in rows:
            inside = [i for i, n in enumerate(numbers)
                      if row["from"] <= n and (row["to"] is None or n <= row["to"])]
            assert len(inside) == row["sentences"]
            chosen, right = [hypotheses[i] for i in inside], [references[i] for i in inside]
            assert row["bleu"] == pytest.approx(sacrebleu.BLEU().corpus_score(chosen, [right]).score, abs=1e-9)
            assert row["chrf"] == pytest.approx(sacrebleu.CHRF().corpus_score(chosen, [right]).score, abs=1e-9)
    assert [row["from"] for row in breakdown["unknown"]] == [0, 1, 2, 3]

    text = support.run("eval", translator, *named).stdout.decode()
    shown = table(text, "unknown words")
    assert [row[0] for row in shown] == ["0", "1", "2", "3-4"]
    assert shown[0][2] == f"{breakdown['unknown'][0]['bleu']:.2f}"


def test_unknown_words_are_those_the_training_text_lacks_whatever_the_pieces(tmp_path):
    """Pieces of subwords are known where their word is not; case counts as the tokenizer reads it."""
    support.write_translation_data(tmp_path)
    config = support.config("translate", tokenizer={"type": "bpe", "vocab_size": 60, "lowercase": True,
                                                    "normalize": "nfc"},
                            train={"max_steps": 2, "eval_every": 2})
    run_dir = tmp_path / "run"
    support.run("train", support.write_config(tmp_path, config), "--run", run_dir)
    (tmp_path / "s").write_text("The cat sees you\nthe tack sees you\nsome cater, the tack\n", "utf-8")
    (tmp_path / "t").write_text("das\ndas\ndas\n", "utf-8")
    named = ("--source", tmp_path / "s", "--target", tmp_path / "t", "--breakdown")
    rows = evaluate(run_dir, *named)["breakdown"]["unknown"]
    assert [(row["from"], row["sentences"]) for row in rows] == [(0, 1), (1, 1), (3, 1)]  # and ','

    (tmp_path / "train.en").rename(tmp_path / "gone.en")
    done = support.run("eval", run_dir, *named)
    assert "unknown words" not in done.stdout.decode() and "source tokens" in done.stdout.decode()
    [line] = [line for line in done.stderr.decode().splitlines() if "unknown words" in line]
    assert "without the training text: " in line and "train.en: no such file" in line


def test_segmented_references_are_joined_as_the_translations_are(tmp_path):
    """One pair, learned by heart: a perfect translation scores 100 in training and afterwards."""
    for split in ("train", "valid", "test"):
        (tmp_path / f"{split}.en").write_text("the rail@@ way sta@@ tion is old .\n" * 8, "utf-8")
        (tmp_path / f"{split}.de").write_text("der Bahn@@ hof hier ist alt und gro@@ ß .\n" * 8, "utf-8")
    config = support.config("translate", tokenizer={"type": "whitespace", "joiner": "@@"},
                            train={"max_steps": 120, "eval_every": 60})
    run_dir = tmp_path / "run"
    support.run("train", support.write_config(tmp_path, config), "--run", run_dir)
    assert support.metrics(run_dir, "eval")[-1]["bleu"] == pytest.approx(100)
    scores = evaluate(run_dir, "--split", "test", "--breakdown")
    assert scores["bleu"] == pytest.approx(100) and scores["ter"] == 0 and scores["exact_match"] == 1
    assert scores["target_tokens"] == 8 * 11  # the loss is of pieces
    assert [row["from"] for row in scores["breakdown"]["unknown"]] == [0]
    text = support.run("translate", run_dir, stdin="the rail@@ way sta@@ tion is old .\n").stdout
    assert text.decode() == "der Bahnhof hier ist alt und groß .\n"


def test_more_labels_than_there_are_can_not_be_asked_for(classifier):
    error = support.refused("eval", classifier, "--top-k", 9, code=2)
    assert "--top-k: 9 is more than the labels" in error and "2" in error


def test_classifications_are_broken_down_and_calibrated(classifier):
    folder = classifier.parent
    scores = evaluate(classifier, "--split", "test", "--breakdown", "--top-k", 1)
    rows = [line.split("\t") for line in read(folder / "test.tsv")]
    out = support.run("classify", classifier, "--json", stdin="".join(text + "\n" for _, text in rows))
    guesses = [json.loads(line) for line in out.stdout.decode().splitlines()]
    right = [guess["label"] == label for guess, (label, _) in zip(guesses, rows, strict=True)]
    assert scores["top_k"] == 1 and scores["top_k_accuracy"] == pytest.approx(scores["accuracy"])
    assert evaluate(classifier, "--top-k", 2)["top_k_accuracy"] == 1.0

    for row in scores["breakdown"]["length"]:
        inside = [hit for hit, (_, text) in zip(right, rows)
                  if row["from"] <= len(text.split()) <= (row["to"] or 10**9)]
        assert row["sentences"] == len(inside)
        assert row["accuracy"] == pytest.approx(sum(inside) / len(inside))

    confidence = [guess["probabilities"][0] for guess in guesses]
    assert scores["confidence"] == pytest.approx(sum(confidence) / len(rows))
    truth = [dict(zip(guess["labels"], guess["probabilities"]))[label] for guess, (label, _) in zip(guesses, rows)]
    assert scores["brier"] == pytest.approx(sum(2 * (1 - p) ** 2 for p in truth) / len(rows))
    for bins, ece in ((15, scores["ece"]), (10, evaluate(classifier, "--split", "test", "--ece-bins", 10)["ece"])):
        gaps = [0.0] * bins
        for p, hit in zip(confidence, right):
            gaps[math.ceil(p * bins) - 1] += p - hit
        assert ece == pytest.approx(sum(map(abs, gaps)) / len(rows), abs=1e-9)


def test_many_classes_are_told_within_eighty_columns(tmp_path):
    """Twenty classes, whose confusion matrix would be too wide."""
    folder = tmp_path
    for split in ("train", "valid"):
        lines = [f"class_{i}\tword_{i} word_{(i * j) % 20}\n" for i in range(20) for j in range(5)]
        (folder / f"{split}.tsv").write_text("".join(lines), "utf-8")
    config = support.config("classify", data={"test": {"file": ""}}, train={"max_steps": 3, "eval_every": 3})
    support.run("train", support.write_config(folder, config), "--run", folder / "run")
    text = support.run("eval", folder / "run", "--top-k", 5).stdout.decode()
    assert max(map(len, text.splitlines())) <= 80, text
    assert len(table(text, "label     precision")) == 20
    scores = evaluate(folder / "run", "--top-k", 5)
    worst = max(n for i, row in enumerate(scores["confusion"]) for j, n in enumerate(row) if i != j)
    assert int(table(text, "label     predicted as")[0][2]) == worst
    assert scores["top_k_accuracy"] >= scores["accuracy"]
