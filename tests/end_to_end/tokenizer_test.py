"""heed tokenizer train, encode and decode; heed data make."""
import filecmp

import pytest

from support import ROOT, one_line_error, run

CORPUS = ROOT / "data" / "toy_translation"


@pytest.fixture(scope="module", params=["bpe", "unigram", "word", "char", "whitespace"])
def tokenizer(request, tmp_path_factory):
    """Its type, and the model or vocabulary it was written to."""
    prefix = tmp_path_factory.mktemp("tokenizer") / "made" / "small"
    run("tokenizer", "train", "--input", CORPUS / "train.en", CORPUS / "train.de", "--model",
        prefix, "--type", request.param, "--vocab-size", 300)
    suffix = "model" if request.param in ("bpe", "unigram") else "vocab"
    return request.param, f"{prefix}.{suffix}"


def use(what: str, tokenizer, *options, stdin: bytes) -> bytes:
    kind, model = tokenizer
    return run("tokenizer", what, "--model", model, "--type", kind, *options, stdin=stdin).stdout


@pytest.mark.parametrize("options", [[], ["--ids"]])
def test_text_survives_encoding_and_decoding(tokenizer, options):
    text = b"the small dog sees the cat\nder hund hat die katze gesehen\n"
    encoded = use("encode", tokenizer, *options, stdin=text)
    assert use("decode", tokenizer, *options, stdin=encoded) == text


@pytest.mark.parametrize(("text", "lines"), [(b"a\nb", 2), (b"a\nb\n", 2), (b"a\nb\n\n", 3),
                                             (b"", 0), (b"\n", 1)])
def test_every_line_gives_one_line(tokenizer, text, lines):
    encoded = use("encode", tokenizer, stdin=text)
    assert encoded.count(b"\n") == lines
    if lines > 1:
        assert use("decode", tokenizer, stdin=encoded).count(b"\n") == lines


def test_breaks_inside_a_line_are_white_space(tokenizer):
    odd = "the\u2028man\nthe\x0bman\x0cthe\nthe\x85man\n".encode()
    plain = b"the man\nthe man the\nthe man\n"
    assert use("encode", tokenizer, stdin=odd) == use("encode", tokenizer, stdin=plain)


def test_special_tokens_in_a_text_are_text(tokenizer):
    ids = use("encode", tokenizer, "--ids", stdin=b"<pad> the </s> man <s>\n").split()
    assert not {b"0", b"2", b"3"} & set(ids)


def test_lines_too_long_to_learn_from_are_reported_and_can_be_encoded(tmp_path):
    text = tmp_path / "long.txt"
    text.write_bytes(b"a normal line of words\n" * 50 + b"a" * 200_000 + b"\n")
    done = run("tokenizer", "train", "--input", text, "--model", tmp_path / "m", "--vocab-size", 60,
               timeout=30)
    assert b"1 lines (200000 bytes) left out" in done.stderr
    encoded = run("tokenizer", "encode", "--model", tmp_path / "m.model", "--input", text,
                  timeout=60).stdout
    assert encoded.count(b"\n") == 51


def test_what_cannot_be_read_is_one_line(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("one two\n")
    run("tokenizer", "train", "--input", text, "--model", tmp_path / "m", "--type", "word")
    vocab = tmp_path / "m.vocab"
    assert "missing.model" in one_line_error(
        run("tokenizer", "encode", "--model", tmp_path / "missing.model", code=1))
    assert "text.txt" in one_line_error(run("tokenizer", "encode", "--model", text, code=1))
    assert "missing.txt" in one_line_error(
        run("tokenizer", "train", "--input", tmp_path / "missing.txt", "--model", vocab, code=1))
    assert "did you mean 'word'" in one_line_error(
        run("tokenizer", "encode", "--model", vocab, "--type", "wrd", code=2))
    assert "input:1: '99'" in one_line_error(
        run("tokenizer", "decode", "--model", vocab, "--ids", stdin=b"99\n", code=1))


@pytest.mark.parametrize("name", ["copy", "reverse", "toy_translation", "toy_classification"])
def test_toy_corpora_are_made_as_committed(name, tmp_path):
    for _ in range(2):  # again over what is there
        done = run("data", "make", name, "--out", tmp_path / "new" / name)
        assert done.stdout == b""
    compared = filecmp.dircmp(ROOT / "data" / name, tmp_path / "new" / name)
    assert not compared.left_only + compared.right_only
    _, different, unreadable = filecmp.cmpfiles(compared.left, compared.right,
                                                compared.common_files, shallow=False)
    assert not different + unreadable


def test_an_unknown_toy_corpus_is_answered_with_the_nearest(tmp_path):
    done = run("data", "make", "revers", "--out", tmp_path / "new", code=2)
    assert "did you mean 'reverse'" in one_line_error(done)
    assert not (tmp_path / "new").exists()
