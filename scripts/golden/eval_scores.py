#!/usr/bin/env python3
"""Writes tests/golden/eval_scores.json: BLEU, chrF, chrF++ and TER of texts in many scripts by sacreBLEU.

    .venv/bin/python scripts/golden/eval_scores.py
"""
import json
import random
from pathlib import Path

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER

TOKENIZERS = ("13a", "char", "intl", "none", "zh")
TER_OPTIONS = [dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), flags))
               for flags in ((0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 1), (0, 1, 1, 0), (1, 1, 1, 0))]
OUT = Path(__file__).resolve().parents[2] / "tests/golden/eval_scores.json"

LINES = [
    ("The cat sat on the mat.", "The cat is sitting on the mat."),
    ('He said: "It\'s 3.14, or 1,000 & more" -- didn\'t he?', "He said: 'It is 3.14 or 1,000 and more' - didn't he?"),
    ("It costs $5.00 (about 4,50 €) in 2019-2020.", "It costs $5.00 (about 4.50 €) in 2019-2020!"),
    ("&quot;A &amp;lt; B&quot; &lt;skipped&gt; <skipped> x", '"A < B" <skipped> x'),
    ("Ein Mann mit Hut, der 3 Hunde hat, läuft über die Straße.", "Ein Mann mit einem Hut läuft mit 3 Hunden über die Straße."),
    ("Größe: 5,5 m², §12 Abs. 3 – „siehe oben“ …", "Größe: 5,5 m², § 12 Abs. 3 — »siehe oben«..."),
    ("ΟΔΥΣΣΕΥΣ ΚΑΙ ΣΟΦΟΣ, ΣΑΣ.", "Οδυσσευς και σοφος, σας."),
    ("İstanbul'da IŞIK var", "istanbul'da ışık var"),
    ("Москва — столица России.", "Москва является столицей России."),
    ("今天天气很好,我们去公园吧。", "今天天气不错，我们去公园玩吧。"),
    ("我有3个apple, 你呢?", "我有 3 个 apple，你呢？"),
    ("これは日本語の文です。", "これは日本語の文章です。"),
    ("안녕하세요, 세계!", "안녕하세요 세계!"),
    ("مرحبا بالعالم، كيف الحال؟", "مرحبا بالعالم! كيف حالك؟"),
    ("नमस्ते दुनिया, १२३ है।", "नमस्ते दुनिया १२३ हैं।"),
    ("😀 it works 👍🏽 ☃ → ∞", "😀 it worked 👍 ☃ ⇒ ∞"),
    ("a\u2028b\u0085c\u00a0d\u3000e\u200bf", "a b c d e f"),
    ("  leading and trailing   ", "leading and trailing"),
    ("x.y,z 1.2,3 4-5 a-b -6 7-", "x . y , z 1.2,3 4 - 5 a-b -6 7 -"),
    ("...", "…"),
    ("(hi) (a) .b. !", "(hi) ( a ) . b . !"),
    ("", "not empty"),
    ("not empty", ""),
    ("", ""),
    ("yes", "yes"),
    ("a b", "a b"),
    ("a b c", "a b c"),
    ("a b c d", "a b c d"),
    ("the the the the the", "the cat the dog"),
    ("\U00020000\U0002f800 b", "\U00020000 b"),
    ("½ ⅓ Ⅷ x²", "½ ⅓ VIII x2"),
    (".5 and , 6", "  .5 and , 6"),
    ("Tom's dog, the dogs' house (it's big).", "tom 's dog; The dogs' house: it is BIG!"),
    ("yesterday the man with the hat saw a dog", "the man with the hat saw a dog yesterday"),
    ("（東京）タワー、ｶﾅ と「引用」。", "東京タワー カナ と 引用 。"),
    ("tab\tand\x0bvertical\x1cfield", "tab and vertical field"),
]
ALPHABETS = [
    "abc ABC .,-!?'\"&;()[]{}<>/\\|~`@#$%^*_+=:0123456789  ",
    "äöüßÄÖ éèÀ ñ «»„“”‘’–—… 12,3.4  ",
    "你好世界，。！？「」 abc 12 ",
    "абвГД ΑΒΓσςΣ ١٢٣ ؟، हिन्दी ₹€£ ±×÷ ²½  ",
    "\t\x0b\x1c\x1f\x85\u00a0\u2028\u3000\u200b ab.,",
]


def random_line(alphabet: str) -> str:
    return "".join(random.choice(alphabet) for _ in range(random.randrange(0, 40)))


def noisy(line: str, alphabet: str) -> str:
    return "".join(random.choice(alphabet) if random.random() < 0.15 else c for c in line
                   if random.random() > 0.05)


def pairs() -> list[tuple[str, str]]:
    out = list(LINES)
    for alphabet in ALPHABETS:
        for _ in range(14):
            reference = random_line(alphabet)
            out.append((noisy(reference, alphabet), reference))
    return out


def scores(hypotheses: list[str], references: list[str]) -> list[dict]:
    out = []
    for lowercase in (False, True):
        for tokenize in TOKENIZERS:
            bleu = BLEU(tokenize=tokenize, lowercase=lowercase, force=True)
            corpus = bleu.corpus_score(hypotheses, [references])
            item = {"tokenize": tokenize, "lowercase": lowercase, "bleu": corpus.score,
                    "signature": str(bleu.get_signature())}
            if len(hypotheses) == 1:
                effective = BLEU(tokenize=tokenize, lowercase=lowercase, effective_order=True)
                item["sentence_bleu"] = effective.sentence_score(hypotheses[0], references).score
            out.append(item)
        for word_order in (0, 2):
            chrf = CHRF(word_order=word_order, lowercase=lowercase)
            out.append({"word_order": word_order, "lowercase": lowercase,
                        "chrf": chrf.corpus_score(hypotheses, [references]).score,
                        "signature": str(chrf.get_signature())})
    for options in TER_OPTIONS:
        ter = TER(**{name: bool(on) for name, on in options.items()})
        out.append({**options, "ter": ter.corpus_score(hypotheses, [references]).score,
                    "signature": str(ter.get_signature())})
    return out


def compact(hypotheses: list[str], references: list[str]) -> dict:
    """Scores as rows: what doesn't change from case to case stands once in the file."""
    rows = scores(hypotheses, references)
    bleu = [r for r in rows if "bleu" in r]
    return {"hypotheses": hypotheses, "references": references,
            "bleu": [round(r["bleu"], 11) for r in bleu],
            "sentence_bleu": [round(r["sentence_bleu"], 11) for r in bleu if "sentence_bleu" in r],
            "chrf": [round(r["chrf"], 11) for r in rows if "chrf" in r],
            "ter": [round(r["ter"], 11) for r in rows if "ter" in r]}


def main() -> None:
    random.seed(3)
    lines = pairs()
    cases = [compact([h], [r]) for h, r in lines]
    for size in (2, 7, 20):
        chosen = random.sample(lines, size)
        cases.append(compact([h for h, _ in chosen], [r for _, r in chosen]))
    cases.append(compact(["", "", ""], ["a b", "c", "d e f"]))
    cases.append(compact(["", ""], ["", ""]))
    columns = scores(["a"], ["a"])
    json.dump({"made_with": "sacrebleu " + sacrebleu.__version__,
               "bleu_columns": [{k: r[k] for k in ("tokenize", "lowercase", "signature")}
                                for r in columns if "bleu" in r],
               "chrf_columns": [{k: r[k] for k in ("word_order", "lowercase", "signature")}
                                for r in columns if "chrf" in r],
               "ter_columns": [{k: r[k] for k in (*TER_OPTIONS[0], "signature")}
                               for r in columns if "ter" in r],
               "cases": cases}, OUT.open("w", encoding="utf-8"), ensure_ascii=True,
              separators=(",", ":"))
    print(OUT.stat().st_size, "bytes,", len(cases), "cases")


if __name__ == "__main__":
    main()
