"""The weights heed shows are those anyone computes again from model.safetensors and the ids."""
import json

import pytest

torch = pytest.importorskip("torch")  # an existing LibTorch has no Python side

import support  # noqa: E402
from reference_model import ReferenceModel  # noqa: E402

TEXTS = {"translate": ["the cat sees the house", "my sister follows you", "the old man hears nobody"],
         "classify": ["first one two second", "three second four four first"]}

TRANSLATE = [
    {},
    {"norm_position": "post", "activation": "gelu", "positions": "learned", "tie": "softmax"},
    {"kv_heads": 1, "heads": 4, "enc_layers": 1, "dec_layers": 3, "positions": "none"},
    {"tie": "all", "vocab_rows": 64, "attention": {"impl": "explicit"}},
    {"positions": "rotary", "rotary_base": 100.0, "norm": "rms", "activation": "swiglu"},
    {"positions": "rotary", "position_scaling": "ntk", "position_factor": 2.0, "init": "kaiming",
     "attention": {"type": "dot"}},
    {"positions": "alibi", "head_dim": 6, "attention": {"value_dim": 3}},
    {"positions": "relative", "relative_buckets": 8, "relative_max_distance": 6,
     "residual_scale": 0.5, "init": "small"},
    {"position_scaling": "ntk", "position_factor": 2.0, "head_dim": 4,
     "attention": {"value_dim": 8, "out_proj": False}},
    {"positions": "learned", "position_scaling": "linear", "position_factor": 3.0,
     "residual": False, "norm_position": "post"},
    {"heads": 1, "head_dim": 5, "attention": {"type": "single_head", "value_dim": 7}},
    {"attention": {"type": "general"}, "init": "xavier_normal"},
    {"positions": "alibi", "attention": {"type": "additive", "hidden": 5}},
    {"positions": "relative", "attention": {"type": "top_k", "top_k": 2}},
]
CLASSIFY = [
    {"pooling": "mean"},
    {"pooling": "cls", "norm_position": "post", "activation": "gelu", "positions": "learned"},
    {"pooling": "max", "kv_heads": 2, "heads": 4},
    {"positions": "rotary", "position_scaling": "linear", "position_factor": 2.0, "norm": "rms",
     "activation": "swiglu", "kv_heads": 1},
    {"positions": "relative", "heads": 4, "attention": {"value_dim": 5}},
]


def shape_name(model):
    flat = {**model, **model.get("attention", {})}
    return "-".join(f"{k}={v}" for k, v in flat.items() if not isinstance(v, dict)) or "default"


def attend(run_dir, folder, texts, *options):
    source = folder / "in.txt"
    source.write_text("".join(text + "\n" for text in texts), "utf-8")
    support.run("attend", run_dir, "--input", source, "--out", folder / "attention.json", *options)

    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads((folder / "attention.json").read_text("utf-8"), parse_constant=refuse)


def same_weights(sentence, reference):
    shown = {(a["kind"], a["layer"], a["head"]): torch.tensor(a["weights"], dtype=torch.float64)
             for a in sentence["attention"]}
    expected = {(kind, layer, head): weights[head] for kind, layer, weights in reference.attention
                for head in range(weights.shape[0])}
    assert shown.keys() == expected.keys()
    for place, weights in expected.items():
        assert shown[place].shape == weights.shape, place
        assert (shown[place] - weights).abs().max() < 1e-5, place
        assert (shown[place].sum(-1) - 1).abs().max() < 1e-5, place


def sound_side(side):
    counts = {len(side[key]) for key in ("tokens", "ids", "special", "offsets")}
    assert len(counts) == 1
    for token, special, (begin, end) in zip(side["tokens"], side["special"], side["offsets"]):
        assert 0 <= begin <= end <= len(side["text"])
        assert not special or begin == end, token


@pytest.mark.parametrize("model", TRANSLATE, ids=shape_name)
def test_a_translation_is_computed_again(model, tmp_path):
    tokenizer = {"shared": model.get("tie") == "all"}
    run_dir = support.train(tmp_path, "translate", model=model, tokenizer=tokenizer)
    pieces = support.target_pieces(run_dir)
    texts = TEXTS["translate"]
    document = attend(run_dir, tmp_path, texts)
    assert document["format"] == "heed.attention/1" and document["task"] == "translate"
    assert document["model"]["heads"] == model.get("heads", 2)
    translations = support.run("translate", run_dir, stdin="\n".join(texts) + "\n").stdout.decode()
    assert [s["target"]["text"] for s in document["sentences"]] == translations.splitlines()

    for text, sentence in zip(texts, document["sentences"], strict=True):
        source, target = sentence["source"], sentence["target"]
        assert source["text"] == text and source["tokens"][-1] == "</s>" and source["ids"][-1] == 3
        sound_side(source)
        sound_side(target)
        assert target["input_tokens"] == ["<s>"] + target["tokens"][:-1]
        assert target["input_ids"] == [2] + target["ids"][:-1]

        reference = ReferenceModel(run_dir / "checkpoints" / document["checkpoint"])
        features = reference.decode(target["input_ids"], reference.encode(source["ids"]))
        same_weights(sentence, reference)
        log_p = reference.log_probabilities(features, pieces)
        scores = log_p.gather(-1, torch.tensor(target["ids"])[:, None]).squeeze(-1)
        assert (scores - torch.tensor(target["token_scores"])).abs().max() < 1e-4
        assert abs(scores.sum() / len(scores) - target["score"]) < 1e-4


@pytest.mark.parametrize("model", CLASSIFY, ids=shape_name)
def test_a_classification_is_computed_again(model, tmp_path):
    run_dir = support.train(tmp_path, "classify", model=model)
    document = attend(run_dir, tmp_path, TEXTS["classify"])
    assert document["task"] == "classify"
    for text, sentence in zip(TEXTS["classify"], document["sentences"], strict=True):
        assert sentence["source"]["text"] == text and sentence["target"] is None
        sound_side(sentence["source"])
        assert {a["kind"] for a in sentence["attention"]} == {"encoder"}
        reference = ReferenceModel(run_dir / "checkpoints" / document["checkpoint"])
        logits = reference.classify(sentence["source"]["ids"])
        same_weights(sentence, reference)
        shown = sentence["prediction"]
        assert sorted(shown["labels"]) == ["no", "yes"] and shown["label"] == shown["labels"][0]
        expected = torch.softmax(logits, -1).sort(descending=True).values
        assert (expected - torch.tensor(shown["probabilities"])).abs().max() < 1e-5


def test_one_sentence_shows_the_same_weights_as_many(translator, tmp_path):
    together = attend(translator, tmp_path, TEXTS["translate"])["sentences"]
    for text, expected in zip(TEXTS["translate"], together):
        done = support.run("attend", translator, "--source", text, "--out", tmp_path / "one.json")
        assert done.stdout == b""
        alone = json.loads((tmp_path / "one.json").read_text())["sentences"][0]
        assert alone["target"]["ids"] == expected["target"]["ids"]
        for a, b in zip(alone["attention"], expected["attention"], strict=True):
            assert (torch.tensor(a["weights"]) - torch.tensor(b["weights"])).abs().max() < 1e-5


@pytest.mark.parametrize("options", [
    (), ("--beam-size", 5), ("--beam-size", 1), ("--length-penalty", 0),
    ("--beam-size", 4, "--length-penalty", 2.5), ("--max-len", 3, "--batch-size", 1),
])
def test_text_and_score_are_those_that_translate_gives(options, translator, tmp_path):
    lines = (translator.parent / "test.en").read_text("utf-8").splitlines()[:12]
    rows = support.run("translate", translator, "--n-best", 1, *options,
                       stdin="".join(line + "\n" for line in lines)).stdout.decode().splitlines()
    shown = attend(translator, tmp_path, lines, *options)["sentences"]
    for row, sentence in zip(rows, shown, strict=True):
        _, text, score = row.split(" ||| ")
        assert sentence["target"]["text"] == text
        assert sentence["target"]["score"] == pytest.approx(float(score), abs=2e-6)


def test_a_given_target_is_shown_instead_of_the_found_one(translator, tmp_path):
    support.run("attend", translator, "--source", "the cat sees you", "--target", "das Katze mag dich",
                "--out", tmp_path / "one.json")
    target = json.loads((tmp_path / "one.json").read_text())["sentences"][0]["target"]
    assert target["text"] == "das Katze mag dich"
    assert target["tokens"] == ["das", "Katze", "mag", "dich", "</s>"]


def test_strange_text_still_gives_strict_json(translator, classifier, tmp_path):
    texts = ['quote " back \\ tab\t', "</script> <b>", "nul \x01 \u2028 😀"]
    for run_dir in (translator, classifier):
        assert len(attend(run_dir, tmp_path, texts)["sentences"]) == len(texts)
