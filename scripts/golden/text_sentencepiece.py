#!/usr/bin/env python3
"""Trains small SentencePiece models with the Python library and writes what it makes of many lines:
tests/golden/text_bpe.model, text_unigram.model, text_spaces.model, text_bytes.model,
text_unigram_bytes.model and text_sentencepiece.json.

    .venv/bin/python scripts/golden/text_sentencepiece.py

Made with sentencepiece 0.2.2. Ids are written as heed counts them: its four special tokens first,
then the model's pieces but its control and unknown ones. The models normalize nothing but white
space, for the tables of the usual normalization take 240 kB a model.
"""
import io
import json
import random
from pathlib import Path

import sentencepiece

GOLDEN = Path(__file__).resolve().parents[2] / "tests/golden"
SPECIALS = ["<pad>", "<unk>", "<s>", "</s>"]
WORDS = ("the a old young cat dog house sees hears likes follows red car für Straße Größe über"
         " naïve café 天气 今天 مرحبا мир don't well-known e.g. 3.14 (yes) \"no\" [X] 😀").split()
LINES = [
    "", " ", "the old cat sees a dog", "  the   old cat ", "unseenword here", "für die Straße",
    "今天天气 مرحبا мир", "x</s>y <s> <pad> <unk> [MASK]", "[X]the[X] a[X]", "東京翴礚", "a東京b 翴",
    "😀😀 the", "naïve cafe\u0301", "e.g. 3.14, (yes) \"no\"!", "\u2581the\u2581cat", "a", "don't",
]
MODELS = {
    "text_bpe": dict(model_type="bpe", vocab_size=120, user_defined_symbols=["[X]"]),
    "text_unigram": dict(model_type="unigram", vocab_size=80, user_defined_symbols=["[X]"]),
    "text_spaces": dict(model_type="bpe", vocab_size=120, remove_extra_whitespaces=False,
                        pad_id=0, unk_id=1, bos_id=2, eos_id=3, control_symbols=["<sep>"]),
    "text_bytes": dict(model_type="bpe", vocab_size=360, byte_fallback=True,
                       user_defined_symbols=["[X]"]),
    "text_unigram_bytes": dict(model_type="unigram", vocab_size=330, byte_fallback=True),
}


def corpus() -> list[str]:
    draw = random.Random(5)
    return [" ".join(draw.choices(WORDS, k=draw.randrange(3, 9))) for _ in range(400)]


def train(options: dict) -> bytes:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus()), model_writer=model, num_threads=1, minloglevel=2,
        normalization_rule_name="identity", **options)
    return model.getvalue()


def heed_pieces(processor) -> dict[int, int]:
    """The library's id -> heed's."""
    ids = {processor.unk_id(): 1}
    for i in range(processor.get_piece_size()):
        if not processor.is_control(i) and not processor.is_unknown(i):
            ids[i] = len(SPECIALS) + len(ids) - 1
    return ids


def trimmed(text: str, begin: int, end: int) -> list[int]:
    inner = text[begin:end]
    if not inner.strip():
        return [begin, end]
    return [begin + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())]


def describe(processor, line: str, ids: dict[int, int]) -> dict:
    found = processor.encode(line, return_type="offset_mapping")
    own = [ids[i] for i in found["ids"]]
    return {
        "text": line,
        "ids": own,
        "pieces": ["<unk>" if i == 1 else processor.id_to_piece(piece)
                   for i, piece in zip(own, found["ids"])],
        "places": [trimmed(line, begin, end) for begin, end in found["offsets"]],
        "decoded": processor.decode(found["ids"]),
    }


def main() -> None:
    golden = {}
    for name, options in MODELS.items():
        model = train(options)
        (GOLDEN / f"{name}.model").write_bytes(model)
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        ids = heed_pieces(processor)
        golden[name] = {"size": len(ids) + len(SPECIALS) - 1,
                        "lines": [describe(processor, line, ids) for line in LINES + corpus()[:40]]}
    (GOLDEN / "text_sentencepiece.json").write_text(
        json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
