#!/usr/bin/env python3
"""Speed of JoeyNMT's recurrent model (`pip install joeynmt==2.3.0`), trained or decoding greedily.

usage: joeynmt_rnn.py --data FOLDER [--steps N] [--threads N] [--input-feeding]
       joeynmt_rnn.py --decode [--sentences N] [--batch-size N] [--length N] [--threads N]

The shape is that of configs/multi30k_de_en_rnn.json: GRU, additive attention, 320 wide, 2 + 1
layers, all embeddings tied, 8,000 pieces. Training: train.de and train.en of FOLDER, batches of
2,048 real target tokens of one length after the other, Adam, label smoothing, clipping. Decoding, as
`heed bench decode`: random weights, random sources of 8 to 16 tokens, --length tokens written for
each, batches of one length after the other. Prints one JSON line with the median.
"""
import argparse
import io
import json
import logging
import random
import statistics
import time
from pathlib import Path
from types import SimpleNamespace

import joeynmt
import sentencepiece
import torch
from joeynmt.batch import Batch
from joeynmt.builders import build_optimizer
from joeynmt.model import build_model
from joeynmt.search import greedy
from joeynmt.vocabulary import Vocabulary

WIDTH, ENCODER_LAYERS, DROPOUT, PIECES = 320, 2, 0.3, 8000
BATCH_TOKENS, WARM_UP, ROUNDS = 2048, 4, 3
UNK, PAD, BOS, EOS = range(4)


def vocabulary() -> Vocabulary:
    special = SimpleNamespace(unk_token="<unk>", pad_token="<pad>", bos_token="<s>",
                              eos_token="</s>", sep_token=None, unk_id=UNK, pad_id=PAD, bos_id=BOS,
                              eos_id=EOS, sep_id=None, lang_tags=[])
    return Vocabulary([f"piece{i}" for i in range(PIECES - 4)], special)


def build(input_feeding: bool):
    logging.disable(logging.INFO)
    pieces = vocabulary()
    embeddings = {"embedding_dim": WIDTH, "dropout": DROPOUT}
    rnn = {"type": "recurrent", "rnn_type": "gru", "dropout": DROPOUT, "embeddings": embeddings}
    model = build_model({
        "tied_embeddings": True, "tied_softmax": True,
        "encoder": rnn | {"hidden_size": WIDTH // 2, "num_layers": ENCODER_LAYERS,
                          "bidirectional": True},
        "decoder": rnn | {"hidden_size": WIDTH, "num_layers": 1, "attention": "bahdanau",
                          "init_hidden": "bridge", "hidden_dropout": DROPOUT,
                          "input_feeding": input_feeding},
    }, pieces, pieces)
    assert len(pieces) == PIECES, len(pieces)
    return model


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])


def batch_of(sources, targets=None) -> Batch:
    """As JoeyNMT's loader makes it: sources end with EOS, longest source first."""
    sources = [source + [EOS] for source in sources]
    target = None if targets is None else pad([[BOS] + row + [EOS] for row in targets])
    batch = Batch(src=pad(sources), src_length=torch.tensor([len(row) for row in sources]),
                  src_prompt_mask=None, trg=target, trg_prompt_mask=None,
                  indices=torch.arange(len(sources)), device=torch.device("cpu"), pad_index=PAD,
                  eos_index=EOS, is_train=targets is not None)
    batch.sort_by_src_length()
    return batch


def training_batches(folder: Path):
    lines = {side: (folder / f"train.{side}").read_text("utf-8").splitlines() for side in ("de", "en")}
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines["de"] + lines["en"]), model_writer=model, model_type="bpe",
        vocab_size=PIECES, character_coverage=1.0, unk_id=UNK, pad_id=PAD, bos_id=BOS, eos_id=EOS,
        minloglevel=2)
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pairs = list(zip(pieces.encode(lines["de"]), pieces.encode(lines["en"])))
    random.shuffle(pairs)
    pairs.sort(key=lambda pair: (len(pair[1]), len(pair[0])))
    batches, current, count = [], [], 0
    for pair in pairs:
        tokens = len(pair[1]) + 1
        if current and count + tokens > BATCH_TOKENS:
            batches.append(current)
            current, count = [], 0
        current.append(pair)
        count += tokens
    random.shuffle(batches)
    return batches


def train(options) -> dict:
    batches = training_batches(options.data)
    model = build(options.input_feeding)
    model.loss_function = ("crossentropy", 0.1)  # label smoothing
    model.train()
    optimizer = build_optimizer({"optimizer": "adam", "learning_rate": 1e-3,
                                 "adam_betas": [0.9, 0.98]}, model.parameters())
    rates, losses = [], []
    for index, pairs in enumerate(batches[:options.steps + WARM_UP]):
        begin = time.perf_counter()
        batch = batch_of(*zip(*pairs))
        loss, _, _, _ = model(return_type="loss", **vars(batch))
        loss = batch.normalize(loss, "tokens")
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if index >= WARM_UP:
            rates.append(batch.ntokens / (time.perf_counter() - begin))
            losses.append(loss.item())
    return {"tokens_per_second": round(statistics.median(rates), 1), "loss": round(losses[-1], 3),
            "parameters": sum(p.numel() for p in model.parameters())}


@torch.no_grad()
def decode(options) -> dict:
    model = build(options.input_feeding)
    model.eval()
    sources = [[random.randrange(4, PIECES) for _ in range(random.randint(8, 16))]
               for _ in range(options.sentences)]
    sources.sort(key=len)

    def all_sources() -> float:
        begin = time.perf_counter()
        for at in range(0, len(sources), options.batch_size):
            batch = batch_of(sources[at:at + options.batch_size])
            states, last, _, _ = model(return_type="encode", **vars(batch))
            ids, _, _ = greedy(src_mask=batch.src_mask, max_output_length=options.length,
                               min_output_length=options.length, model=model,
                               encoder_output=states, encoder_hidden=last)
            assert ids.shape[1] == options.length, ids.shape
        return len(sources) * options.length / (time.perf_counter() - begin)

    all_sources()
    return {"tokens_per_second": round(statistics.median(all_sources() for _ in range(ROUNDS)), 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--decode", action="store_true")
    parser.add_argument("--input-feeding", action="store_true")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--sentences", type=int, default=512)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--length", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if not options.decode and options.data is None:
        parser.error("training wants --data")
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    random.seed(0)
    result = decode(options) if options.decode else train(options)
    version = getattr(joeynmt, "__version__", "2.3.0")
    print(json.dumps({"peer": f"JoeyNMT {version} recurrent, torch {torch.__version__}",
                      "threads": options.threads, "input_feeding": options.input_feeding} | result))


if __name__ == "__main__":
    main()
