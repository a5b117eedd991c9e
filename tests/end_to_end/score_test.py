"""heed score says what sacreBLEU says, in every script and with every option."""
import json
import math
import random

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest

import support

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

WORDS = [
    "the cat sat on a mat today , with an old dog ; don't it's U.S.A. e.g. co-operate (hi) \"so\"".split(),
    "Größe Straße über «café» naïve l'été „siehe“ Œuvre ¿Qué? ¡Sí! İstanbul ıŞIK".split(),
    "Москва — столица России, да? нет! Ёлка ПРИВЕТ мир; №5".split(),
    "ΟΔΥΣΣΕΥΣ και σοφος, Σας· Ἀθῆναι ΣΊΓΜΑ τέλος;".split(),
    "مرحبا بالعالم، كيف الحال؟ ١٢٣٫٤٥ كِتَاب".split(),
    "שלום עולם, מה־שלומך? שָׁלוֹם ״כן״ ₪5".split(),
    "नमस्ते दुनिया। १२३ है॥ क्षत्रिय ₹५०".split(),
    "สวัสดีชาวโลก ภาษาไทย ๑๒๓ ฿100 ๆ".split(),
    "今天天气很好， 我们去公园吧。 「引用」 （東京）タワー ひらがな カタカナ ｶﾅ ㈱ ㍿ ㋿ 한국어 세계! ⼈ 〇 々".split(),
    "😀 👍🏽 👩‍👩‍👧 🇩🇪 ☃ → ∞ ✓ ★ © ™ ♥️ ± × ÷ ½ ² Ⅷ €5 £3".split(),
    "e\u0301 n\u0303a a\u0308\u0301 o\u0302 Å ﬁ ｆｕｌｌ１２３．４ ǅ ß ẞ".split(),
    "1,000.5 3.14 -5 5-6 1999-2000 10:30 2/3 50% $5.00 7- .5 ,5 5. 1.2.3 0,5".split(),
    "... -- !? ?! &amp; &quot;x&quot; &lt;b&gt; <skipped> <br/> 's ' ` ~ | \\ / @ # _ ^ { } [ ] * + =".split(),
    "http://a.b/c?d=e&f=g https://www.example.org/x-y_z#1 me@mail.com /usr/bin C:\\x #tag @you".split(),
]
SPACES = [" "] * 30 + ["  ", "   ", "\t", "\u00a0", "\u3000", "\u2009", "\u2028", "\u0085", "\u200b", "\x1f"]


def random_line(draw: random.Random) -> list[str]:
    """Words and what stands between them, mostly of one script."""
    main = draw.choice(WORDS)
    parts = []
    for _ in range(draw.choice([0, 1, 2, 3, 4, 5, 6, 8, 10, 12] * 8 + [20, 35])):
        parts.append(draw.choice(main if draw.random() < 0.8 else draw.choice(WORDS)))
        parts.append(draw.choice(SPACES))
    return parts if draw.random() < 0.1 else parts[:-1]


def noisy(draw: random.Random, parts: list[str]) -> str:
    """The line with words shifted, lost, doubled, replaced and in another case."""
    parts = list(parts)
    for _ in range(draw.randrange(4)):
        begin = draw.randrange(len(parts) + 1)
        part = parts[begin:begin + draw.randrange(12)]
        del parts[begin:begin + len(part)]
        to = draw.randrange(len(parts) + 1)
        parts[to:to] = part
    change = [lambda p: p] * 14 + [lambda p: "", lambda p: p + p, str.upper, str.lower, str.title,
                                   lambda p: draw.choice(draw.choice(WORDS)), lambda p: p[:-1]]
    return draw.choice(["", "", "", "  "]) + "".join(draw.choice(change)(p) for p in parts)


def write(folder, **sides):
    for name, lines in sides.items():
        (folder / name).write_bytes("".join(line + "\n" for line in lines).encode())


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """1,000 pairs in many scripts: folder, hypotheses, other hypotheses, references."""
    draw = random.Random(20)
    folder = tmp_path_factory.mktemp("scores")
    lines = [random_line(draw) for _ in range(1000)]
    references = ["".join(parts) for parts in lines]
    sides = {"h": [noisy(draw, parts) for parts in lines],
             "other": [noisy(draw, parts) for parts in lines], "r": references}
    write(folder, **sides)
    return folder, sides["h"], sides["other"], references


def score(folder, *options):
    files = ("--hypothesis", folder / "h", "--reference", folder / "r")
    return support.run("score", *files, *options).stdout.decode()


def check(folder, key, metric, sentence_metric, hypotheses, references, *options):
    """The corpus and each of its sentences, with a signature and to the digit as printed."""
    counts = metric._extract_corpus_statistics(hypotheses, [references])  # once: TER takes long
    expected = metric._aggregate_and_compute(counts)
    signature = str(metric.get_signature())
    corpus = json.loads(score(folder, *options, "--json"))
    assert corpus[key] == pytest.approx(expected.score, abs=1e-9)
    assert corpus[key + "_signature"] == signature
    assert expected.format(signature=signature) in score(folder, *options)

    lines = score(folder, *options, "--sentence", "--json").splitlines()
    assert len(lines) == len(references)
    for line, hypothesis, reference, count in zip(lines, hypotheses, references, counts):
        exact = sentence_metric._compute_score_from_stats(count).score
        assert json.loads(line)[key] == pytest.approx(exact, abs=1e-9), (hypothesis, reference)


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("tokenize", ["13a", "intl", "char", "zh", "none"])
def test_bleu_is_sacrebleus_on_many_scripts(texts, tokenize, lowercase):
    folder, hypotheses, _, references = texts
    same = {"tokenize": tokenize, "lowercase": lowercase}
    options = ("--metric", "bleu", "--tokenize", tokenize) + ("--lowercase",) * lowercase
    check(folder, "bleu", BLEU(**same), BLEU(**same, effective_order=True), hypotheses, references,
          *options)


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("word_order", [0, 2])
def test_chrf_is_sacrebleus_on_many_scripts(texts, word_order, lowercase):
    folder, hypotheses, _, references = texts
    metric = CHRF(word_order=word_order, lowercase=lowercase)
    options = ("--metric", "chrf", "--word-order", word_order) + ("--lowercase",) * lowercase
    check(folder, "chrf_pp" if word_order else "chrf", metric, metric, hypotheses, references, *options)


@pytest.mark.parametrize("flags", ["", "normalized", "no_punct", "case_sensitive", "asian_support",
                                   "normalized asian_support", "no_punct asian_support",
                                   "normalized no_punct asian_support case_sensitive"])
def test_ter_is_sacrebleus_on_many_scripts(texts, flags, tmp_path):
    _, hypotheses, _, references = texts
    lines = 150 if flags else 1000  # sacreBLEU takes its time
    folder, hypotheses, references = tmp_path, hypotheses[:lines], references[:lines]
    write(folder, h=hypotheses, r=references)
    metric = TER(**{flag: True for flag in flags.split()})
    options = [f"--ter-{flag.replace('_', '-')}" for flag in flags.split()]
    check(folder, "ter", metric, metric, hypotheses, references, "--metric", "ter", *options)


def test_several_references_are_scored_as_by_sacrebleu(texts):
    folder, hypotheses, other, references = texts
    scores = json.loads(score(folder, "--reference", folder / "other", "--metric", "bleu,chrf,ter", "--json"))
    for key, metric in (("bleu", BLEU()), ("chrf", CHRF()), ("chrf_pp", CHRF(word_order=2)), ("ter", TER())):
        expected = metric.corpus_score(hypotheses, [references, other])
        assert scores[key] == pytest.approx(expected.score, abs=1e-9)
        assert scores[key + "_signature"] == str(metric.get_signature())


@pytest.mark.parametrize("samples, lines", [(1000, 1000), (300, 200)])
def test_paired_bootstrap_is_sacrebleus(texts, samples, lines, tmp_path):
    _, *sides = texts
    folder = tmp_path
    hypotheses, other, references = [side[:lines] for side in sides]
    write(folder, h=hypotheses, other=other, r=references)
    metrics = {"BLEU": BLEU(), "chrF2": CHRF(), "chrF2++": CHRF(word_order=2), "TER": TER()}
    signatures, expected = PairedTest([("other", other), ("h", hypotheses)], metrics, [references],
                                      test_type="bs", n_samples=samples)()
    options = ("--metric", "bleu,chrf,ter", "--paired", folder / "other")
    if samples != 1000:
        options += ("--confidence", samples)
    scores = json.loads(score(folder, *options, "--json"))
    assert (scores["samples"], scores["seed"], scores["sentences"]) == (samples, 12345, lines)
    for key, name in (("bleu", "BLEU"), ("chrf", "chrF2"), ("chrf_pp", "chrF2++"), ("ter", "TER")):
        baseline, system = expected[name]
        for side, result in ((scores["baseline"], baseline), (scores, system)):
            assert side[key] == pytest.approx(result.score, abs=1e-9)
            assert side[key + "_mean"] == pytest.approx(float(result.mean), abs=1e-9)
            assert side[key + "_ci"] == pytest.approx(float(result.ci), abs=1e-9)
        assert scores[key + "_p_value"] == system.p_value
        assert scores[key + "_signature"] == str(signatures[name])

    table = score(folder, *options)
    assert max(map(len, table.replace(str(folder), "").splitlines())) <= 86  # TER's signature
    assert f"{samples} paired bootstrap resamples, seed 12345" in table
    assert f"{expected['BLEU'][1].p_value:.4f}" in table


def test_confidence_is_sacrebleus(texts):
    folder, hypotheses, _, references = texts
    printed = score(folder, "--confidence", 200, "--metric", "bleu,chrf,ter", "--word-order", 0)
    for metric in (BLEU(), CHRF(), TER()):
        result = metric.corpus_score(hypotheses, [references], n_bootstrap=200)
        assert result.format(signature=str(metric.get_signature())) in printed
    other = json.loads(score(folder, "--confidence", 200, "--seed", 7, "--json"))
    assert other["seed"] == 7 and "seed:7" in other["bleu_signature"]


def test_sentences_are_columns_in_the_order_of_the_metrics(tmp_path):
    (tmp_path / "h").write_text("yes\nthe cat sat on a mat\n\n", "utf-8")
    (tmp_path / "r").write_text("yes\nthe cat sat on the mat\nx\n", "utf-8")
    files = ("--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    done = support.run("score", *files, "--sentence", "--metric", "ter,bleu,chrf")
    assert done.stdout.decode().splitlines() == [
        "100.00\t100.00\t100.00\t0.00", "53.73\t65.98\t67.44\t16.67", "0.00\t0.00\t0.00\t100.00"]
    assert "column 1: BLEU|nrefs:1|case:mixed|eff:yes" in done.stderr.decode()
    assert "column 4: TER|nrefs:1" in done.stderr.decode()


@pytest.mark.parametrize("options", [("--paired", "{h}", "--sentence"), ("--confidence", "1"),
                                     ("--metric", "bleu,rouge"), ("--word-order", "1"),
                                     ("--paired", "-", "--reference", "-"), ("--seed", "-1")])
def test_options_that_mean_nothing_are_refused(options, tmp_path):
    (tmp_path / "h").write_text("a\n", "utf-8")
    options = [option.format(h=tmp_path / "h") for option in options]
    done = support.run("score", "--hypothesis", tmp_path / "h", "--reference", tmp_path / "h", *options, code=2)
    support.one_line_error(done)


@pytest.mark.parametrize("options, reason", [
    (("--metric", "bleu", "--word-order", "2"), "--word-order: only chrf reads it, and --metric is bleu"),
    (("--metric", "ter", "--tokenize", "zh"), "--tokenize: only bleu reads it, and --metric is ter"),
    (("--metric", "ter", "--lowercase"), "--lowercase: ter ignores case unless --ter-case-sensitive"),
    (("--metric", "bleu", "--ter-normalized"), "--ter-normalized: only ter reads it"),
    (("--ter-case-sensitive",), "--ter-case-sensitive: only ter reads it, and --metric is bleu,chrf"),
    (("--seed", "3"), "--seed: nothing is drawn without --confidence or --paired"),
])
def test_an_option_that_no_metric_reads_is_refused_with_the_reason(options, reason, tmp_path):
    write(tmp_path, h=["a"], r=["a"])
    files = ("--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    assert reason in support.refused("score", *files, *options, code=2)


def test_one_line_is_counted_as_one(tmp_path):
    write(tmp_path, h=["a"], r=["a", "b"])
    files = ("--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    assert "h: 1 line, but" in support.refused("score", *files, code=1)
    (tmp_path / "r").write_bytes(b"\xff\n")
    assert "r: 1 ill-formed UTF-8 sequence read" in support.run("score", *files).stderr.decode()


def test_nothing_can_not_be_resampled_and_lines_must_match(tmp_path):
    (tmp_path / "none").write_text("", "utf-8")
    (tmp_path / "h").write_text("a\nb\n", "utf-8")
    none = support.run("score", "--hypothesis", tmp_path / "none", "--reference", tmp_path / "none",
                       "--confidence", "10", code=1)
    assert "none: no line" in support.one_line_error(none)
    unequal = support.run("score", "--hypothesis", tmp_path / "h", "--reference", tmp_path / "h",
                          "--paired", tmp_path / "none", code=1)
    assert "h: 2 lines" in support.one_line_error(unequal)


@pytest.mark.parametrize("hypothesis, reference, options, bleu, chrf", CASES)
def test_score_prints_known_numbers(hypothesis, reference, options, bleu, chrf, tmp_path):
    (tmp_path / "h").write_text(hypothesis, "utf-8")
    (tmp_path / "r").write_text(reference, "utf-8")
    scores = json.loads(score(tmp_path, *options, "--json"))
    assert scores["bleu"] == pytest.approx(bleu, abs=0.005)
    if chrf is not None:
        assert scores["chrf"] == pytest.approx(chrf, abs=0.005)
    text = score(tmp_path, *options)
    assert f"BLEU|{scores['bleu_signature']} = {scores['bleu']:.2f}" in text
    assert f"chrF2|{scores['chrf_signature']} = {scores['chrf']:.2f}" in text
    assert all(math.isfinite(value) for value in scores.values() if isinstance(value, float))


def test_score_warns_of_pieces(tmp_path):
    (tmp_path / "h").write_text("fine\n▁The ▁cat\n", "utf-8")
    (tmp_path / "r").write_text("fine\nThe cat\n", "utf-8")
    done = support.run("score", "--hypothesis", tmp_path / "h", "--reference", tmp_path / "r")
    assert "warning: " in done.stderr.decode() and "h:2" in done.stderr.decode()
