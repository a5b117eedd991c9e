"""What beam search answers: sorted and distinct, the same in every company, within its options."""
import random

import pytest

import support


def n_best(run_dir, lines, *options):
    """-> for each line its (text, score), best first."""
    done = support.run("translate", run_dir, *options, stdin="".join(line + "\n" for line in lines))
    answers = [[] for _ in lines]
    for row in done.stdout.decode().splitlines():
        line, text, score = row.split(" ||| ")
        answers[int(line)].append((text, float(score)))
    return answers


@pytest.fixture(scope="module")
def varied(tmp_path_factory):
    """A translator that has seen sentences of 1 to 30 words, as long as its max_len."""
    folder = tmp_path_factory.mktemp("varied")
    support.write_data(folder, "translate")
    for side, texts in zip(("en", "de"), zip(*random_pairs(150, seed=5))):
        (folder / f"train.{side}").write_text("".join(text + "\n" for text in texts), "utf-8")
    file = support.write_config(folder, support.config("translate", train={"max_steps": 80}))
    support.run("train", file, "--run", folder / "run")
    return folder / "run"


def random_pairs(count, seed):
    """Words of every length from 1 to 30, each as often, and their German in the same order."""
    draw = random.Random(seed)
    words = [word for word in support.GERMAN if word != "some"]
    pairs = []
    for n in range(count):
        english = [draw.choice(words) for _ in range(n % 30 + 1)]
        pairs.append((" ".join(english), " ".join(support.GERMAN[word] for word in english)))
    return pairs


def test_more_answers_than_hypotheses_are_refused(translator):
    for options in (("--n-best", 5, "--beam-size", 3), ("--n-best", 5)):  # the run's beam is 3
        error = support.refused("translate", translator, *options, code=2, stdin="the cat\n")
        assert "--n-best" in error and "beam_size" in error and "5" in error and "3" in error


@pytest.mark.parametrize("penalty", [0, 1, 2.5])
def test_answers_are_sorted_and_distinct_and_the_best_is_the_plain_one(penalty, varied):
    lines = [source for source, _ in random_pairs(20, seed=6)]
    options = ("--beam-size", 4, "--length-penalty", penalty)
    answers = n_best(varied, lines, *options, "--n-best", 4)
    plain = support.run("translate", varied, *options, stdin="\n".join(lines)).stdout.decode()
    for line, found, best in zip(lines, answers, plain.split("\n")):
        texts, scores = zip(*found)
        assert len(found) == 4 and len(set(texts)) == 4, line
        assert list(scores) == sorted(scores, reverse=True) and max(scores) < 0, line
        assert texts[0] == best
    for fewer in (1, 3):
        assert n_best(varied, lines, *options, "--n-best", fewer) == [a[:fewer] for a in answers]


@pytest.mark.parametrize("beam_size", [1, 4])
def test_a_translation_depends_neither_on_its_batch_nor_on_the_order(beam_size, varied):
    lines = [source for source, _ in random_pairs(50, seed=7)]
    options = ("--beam-size", beam_size, "--n-best", 1)
    expected = n_best(varied, lines, *options, "--batch-size", 1)
    assert all(len(answers) == 1 for answers in expected)
    shuffled = list(range(len(lines)))
    random.Random(8).shuffle(shuffled)
    by_length = sorted(shuffled, key=lambda i: len(lines[i].split()))
    for batch_size, order in ((1, shuffled), (3, shuffled), (3, by_length), (50, range(50))):
        answers = n_best(varied, [lines[i] for i in order], *options, "--batch-size", batch_size)
        for i, [(text, score)] in zip(order, answers, strict=True):
            [(alone, score_alone)] = expected[i]
            assert text == alone, (batch_size, lines[i])
            assert score == pytest.approx(score_alone, abs=1e-4)


@pytest.mark.parametrize("command, penalty", [
    *(("translate", penalty) for penalty in ("nan", "NaN", "inf", "-inf", "-1", "1e400")),
    ("eval", "nan"), ("eval", "inf"), ("attend", "nan"), ("attend", "inf"),
])
def test_a_length_penalty_that_no_score_can_be_divided_by_is_refused(command, penalty, translator):
    more = ("--source", "the cat") if command == "attend" else ()
    error = support.refused(command, translator, *more, "--length-penalty", penalty, code=2,
                            stdin="the cat\n")
    assert "length-penalty" in error or "length_penalty" in error
