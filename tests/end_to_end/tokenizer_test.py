"""heed tokenizer train, encode and decode; heed data make."""
import filecmp
import io
import random

import pytest
import sentencepiece

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


@pytest.mark.parametrize("tokenizer", ["bpe", "word"], indirect=True)
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
    assert b"1 line (200000 bytes) left out" in done.stderr
    encoded = run("tokenizer", "encode", "--model", tmp_path / "m.model", "--input", text,
                  timeout=60).stdout
    assert encoded.count(b"\n") == 51


def test_a_mebibyte_without_spaces_is_learned_around_and_encoded(tmp_path):
    draw = random.Random(1)
    text = tmp_path / "long.txt"
    long = "".join(draw.choices("anormlieofwds", k=1 << 20))
    text.write_text("a normal line of words\n" * 50 + "a" * 200_000 + "\n" + long + "\n")
    done = run("tokenizer", "train", "--input", text, "--model", tmp_path / "m", "--vocab-size", 60,
               timeout=30)
    assert b"2 lines (1248576 bytes) left out" in done.stderr
    encoded = run("tokenizer", "encode", "--model", tmp_path / "m.model", "--input", text,
                  timeout=60).stdout
    back = run("tokenizer", "decode", "--model", tmp_path / "m.model", stdin=encoded).stdout
    assert back == text.read_bytes()


BROKEN = b"ok\nbad \xe2\x80\nlone \xff\xfe\noverlong \xc0\xaf\nsurrogate \xed\xa0\x80\nend\n"


def test_ill_formed_bytes_are_replaced_and_counted(tmp_path):
    text = tmp_path / "broken.txt"
    text.write_bytes(BROKEN * 20)
    for kind in ("bpe", "unigram", "word", "char", "whitespace"):
        done = run("tokenizer", "train", "--input", text, "--model", tmp_path / "m", "--type", kind,
                   "--vocab-size", 60)
        assert b"160 ill-formed" in done.stderr
        suffix = "model" if kind in ("bpe", "unigram") else "vocab"
        done = run("tokenizer", "encode", "--model", tmp_path / f"m.{suffix}", "--type", kind,
                   stdin=BROKEN)
        assert done.stdout.count(b"\n") == 6
        assert b"8 ill-formed" in done.stderr
        if suffix == "vocab":  # SentencePiece's normalization makes a space of it
            assert "\ufffd".encode() in done.stdout
        done.stdout.decode()  # valid UTF-8


def library_model(**options) -> bytes:
    """A model of the SentencePiece library's own."""
    draw = random.Random(2)
    words = "the old cat sees a young dog für die Straße naïve café 天气 can't 3.14 (yes) ab b".split()
    lines = [" ".join(draw.choices(words, k=draw.randrange(3, 9))) for _ in range(400)]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=model,
                                             num_threads=1, minloglevel=2, **options)
    return model.getvalue()


ODD = ["a\u200db", "a\u200bb", "a\u200cb", "\ufeffab", "a\u0007b", "\ufb01ne", "ａｂ", "a\u0301",
       "the\u00a0old\u3000cat", "Straße", "天气", "x</s>y", "<unk> <s>", "", "  a   b ", "①②", "a\u00adb"]


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@pytest.mark.parametrize("bytes_for_unknown", [False, True])
def test_a_model_of_the_library_reads_text_as_the_library_does(kind, bytes_for_unknown, tmp_path):
    """With the library's own normalization, nmt_nfkc: its pieces and its ids."""
    model = library_model(model_type=kind, vocab_size=400 if bytes_for_unknown else 90,
                          byte_fallback=bytes_for_unknown, hard_vocab_limit=False,
                          pad_id=0, unk_id=1, bos_id=2, eos_id=3)
    (tmp_path / "foreign.model").write_bytes(model)
    library = sentencepiece.SentencePieceProcessor(model_proto=model)
    draw = random.Random(3)
    parts = ODD + ["the old cat", "naïve", "\u200d", "é", "dog", " ", "天", "q"]
    lines = ODD + ["".join(draw.choices(parts, k=draw.randrange(1, 6))) for _ in range(1000)]
    stdin = "".join(line + "\n" for line in lines).encode()

    def encoded(*options):
        out = run("tokenizer", "encode", "--model", tmp_path / "foreign.model", "--foreign",
                  *options, stdin=stdin).stdout.decode()
        return [line.split(" ") if line else [] for line in out.split("\n")[:-1]]

    expected = [library.encode(line) for line in lines]
    assert encoded("--ids") == [[str(i) for i in ids] for ids in expected]
    assert encoded() == [["<unk>" if i == 1 else library.id_to_piece(i) for i in ids]
                         for ids in expected]


def test_zero_width_characters_are_what_the_librarys_normalization_makes_of_them(tmp_path):
    (tmp_path / "foreign.model").write_bytes(
        library_model(model_type="bpe", vocab_size=400, byte_fallback=True, hard_vocab_limit=False))

    def back(text):
        options = ("--model", tmp_path / "foreign.model", "--foreign")
        ids = run("tokenizer", "encode", *options, "--ids", stdin=text + "\n").stdout
        return run("tokenizer", "decode", *options, "--ids", stdin=ids).stdout.decode()[:-1]

    assert back("a\u200db") == "a\u200db"
    assert back("a\u200bb") == back("a\u200cb") == "a b"
    assert back("\ufeffab") == back("a\u0007b") == "ab"


CODES = "#version: 0.2\nt h\nth e</w>\nc a\nca t</w>\n"


@pytest.fixture
def merges(tmp_path):
    """A .codes file with its .vocab."""
    (tmp_path / "code").write_text(CODES)
    (tmp_path / "text").write_text("the cat\nthe hats chat ca ac he et a h\n")
    run("tokenizer", "train", "--type", "subword_nmt", "--codes", tmp_path / "code", "--input",
        tmp_path / "text", "--model", tmp_path / "out" / "m")
    assert (tmp_path / "out" / "m.codes").read_text() == CODES
    return tmp_path / "out" / "m.codes"


def test_merges_cut_words_and_decoding_joins_them(merges):
    text = b"the chat cat\nhethe\n\n"
    encoded = run("tokenizer", "encode", "--model", merges, stdin=text).stdout
    assert encoded == b"the c@@ h@@ a@@ t cat\nh@@ e@@ the\n\n"
    assert run("tokenizer", "decode", "--model", merges, stdin=encoded).stdout == text


def test_sampling_is_seeded(merges):
    text = b"the cat the cat the cat\n" * 5

    def sample(seed, amount="0.5"):
        return run("tokenizer", "encode", "--model", merges, "--sampling", amount, "--seed", seed,
                   stdin=text).stdout

    assert sample(1) == sample(1) != sample(2)
    assert sample(1, "0") == run("tokenizer", "encode", "--model", merges, stdin=text).stdout
    assert sample(1, "1").split()[:3] == [b"t@@", b"h@@", b"e"]
    assert run("tokenizer", "decode", "--model", merges, stdin=sample(3)).stdout == text


def test_segmented_text_is_joined(tmp_path):
    (tmp_path / "text").write_text("co@@ tton on a tru@@ ck .\n")
    run("tokenizer", "train", "--type", "whitespace", "--input", tmp_path / "text", "--model",
        tmp_path / "m")
    decoded = run("tokenizer", "decode", "--model", tmp_path / "m.vocab", "--type", "whitespace",
                  "--joiner", "@@", stdin=b"tru@@ ck . co@@ tton co@@\n").stdout
    assert decoded == b"truck . cotton co\n"


@pytest.mark.parametrize("kind", ["bpe", "unigram", "word", "char"])
def test_text_is_normalized_where_asked(kind, tmp_path):
    (tmp_path / "text").write_text("The Cat \ufb01nds U\u0308bung\n" * 30, "utf-8")
    options = ("--type", kind, "--normalize", "nfkc", "--lowercase")
    run("tokenizer", "train", "--input", tmp_path / "text", "--model", tmp_path / "m", *options,
        "--vocab-size", 40)
    suffix = "model" if kind in ("bpe", "unigram") else "vocab"
    options += ("--model", tmp_path / f"m.{suffix}")
    encoded = run("tokenizer", "encode", *options, stdin="THE CAT finds \u00dcbung\n").stdout
    assert b"<unk>" not in encoded
    decoded = run("tokenizer", "decode", *options, stdin=encoded).stdout
    assert decoded.decode() == "the cat finds übung\n"


def test_user_symbols_and_bytes_are_options(tmp_path):
    (tmp_path / "text").write_text("the cat sees a dog\n" * 30)
    run("tokenizer", "train", "--input", tmp_path / "text", "--model", tmp_path / "m",
        "--user-symbol", "[X]", "--user-symbol", "<sep>", "--byte-fallback", "--vocab-size", 300)
    text = "the[X]cat <sep> 東京\n"
    encoded = run("tokenizer", "encode", "--model", tmp_path / "m.model", stdin=text).stdout
    assert {b"[X]", b"<sep>", b"<0xE6>"} <= set(encoded.split())
    assert run("tokenizer", "decode", "--model", tmp_path / "m.model",
               stdin=encoded).stdout.decode() == text


@pytest.mark.parametrize("options, expected", [
    (["--type", "subword_nmt"], "tokenizer.codes: missing"),
    (["--type", "word", "--byte-fallback"], "only bpe and unigram read it"),
    (["--type", "word", "--joiner", "@@"], "only whitespace and subword_nmt read it"),
    (["--normalize", "nfkd"], "did you mean 'nfkc'"),
    (["--type", "bpe", "--codes", "x"], "only subword_nmt reads it"),
    (["--user-symbol", "</s>"], "is a special token already"),
    (["--user-symbol", "[X]", "--user-symbol", "[X]"], "tokenizer.user_symbols: '[X]' is there twice"),
    (["--type", "unigram", "--min-count", "2"], "tokenizer.min_count: only word, char"),
])
def test_options_that_do_not_fit_are_named(options, expected, tmp_path):
    (tmp_path / "text").write_text("one two\n")
    error = one_line_error(run("tokenizer", "train", "--input", tmp_path / "text", "--model",
                               tmp_path / "m", *options, code=2))
    assert expected in error


def test_a_text_without_words_is_one_clear_sentence(tmp_path):
    for kind in ("bpe", "char", "word"):
        for held, said in (("", "there is no line"), ("\n", "1 line, empty"),
                           (" \n\n", "2 lines, all of them empty")):
            (tmp_path / "text").write_text(held)
            error = one_line_error(run("tokenizer", "train", "--input", tmp_path / "text", "--model",
                                       tmp_path / "m", "--type", kind, code=1))
            assert error == f"error: tokenizer: no text to train on: {said}"


def test_fewer_pieces_than_asked_for_are_told(tmp_path):
    (tmp_path / "text").write_text("one two three four five\n")
    for size, said in ((100000, "word · 9 of at most 100000 pieces from 1 line ·"),
                       (8, "word · 8 pieces from 1 line ·")):
        done = run("tokenizer", "train", "--input", tmp_path / "text", "--model", tmp_path / "m",
                   "--type", "word", "--vocab-size", size)
        assert said in done.stderr.decode()


def test_a_text_of_which_no_token_is_known_is_warned_of(tmp_path):
    (tmp_path / "text").write_text("one two\n")
    run("tokenizer", "train", "--input", tmp_path / "text", "--model", tmp_path / "m", "--type", "word")
    for options in ((), ("--ids",)):
        done = run("tokenizer", "encode", "--model", tmp_path / "m.vocab", *options, stdin="drei vier\n")
        assert "knows no token of it" in done.stderr.decode()
    assert run("tokenizer", "encode", "--model", tmp_path / "m.vocab", stdin="drei two\n").stderr == b""
    assert run("tokenizer", "encode", "--model", tmp_path / "m.vocab", stdin="\n").stderr == b""


def test_a_binary_vocabulary_is_quoted_whole_and_ill_formed_parts_are_counted(tmp_path):
    (tmp_path / "m.vocab").write_bytes(b"one\nELF\0\x02 rest\n")
    error = one_line_error(run("tokenizer", "encode", "--model", tmp_path / "m.vocab", code=1))
    assert "m.vocab:2: white space in 'ELF\\x00\\x02 rest'; one piece a line" in error
    (tmp_path / "m.vocab").write_bytes(b"one\ntw\xff\n")
    done = run("tokenizer", "encode", "--model", tmp_path / "m.vocab", stdin="one\n")
    assert "m.vocab: 1 ill-formed UTF-8 sequence read as U+FFFD" in done.stderr.decode()


def test_merges_without_their_pieces_or_with_broken_lines_are_named(tmp_path):
    (tmp_path / "m.codes").write_text(CODES)
    assert "m.vocab" in one_line_error(
        run("tokenizer", "encode", "--model", tmp_path / "m.codes", code=1))
    (tmp_path / "m.codes").write_text("#version: 0.2\na b\nabc\n")
    (tmp_path / "m.vocab").write_text("a\n")
    assert "m.codes:3: 1 column," in one_line_error(
        run("tokenizer", "encode", "--model", tmp_path / "m.codes", code=1))


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
