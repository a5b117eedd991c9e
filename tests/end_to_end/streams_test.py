"""Standard streams: closed, full, typed into; and what a stopped command leaves."""
import os
import pty
import select
import signal
import subprocess
import time

import pytest

import support


def test_help_into_a_full_disk_is_an_error():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([support.HEED, "--help"], stdout=full, stderr=subprocess.PIPE,
                              env=support.ENVIRONMENT)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("error: standard output: ")


@pytest.mark.parametrize("command, output", [("translate", "/dev/full"), ("tokenizer", "-")])
def test_results_into_a_full_disk_name_the_place(command, output, translator):
    more = [command, translator] if command == "translate" else [
        command, "encode", "--model", translator / "tokenizer" / "source.vocab"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run([support.HEED, *map(str, more), "--output", output], input=b"the cat\n",
                              stdout=full, stderr=subprocess.PIPE, env=support.ENVIRONMENT)
    assert done.returncode == 1
    place = "standard output" if output == "-" else output
    assert done.stderr.decode().splitlines()[-1] == (
        f"error: {place}: cannot be written: No space left on device")


def test_what_closed_streams_would_get_lands_in_no_file(tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate", train={"max_steps": 2}))
    done = subprocess.run(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", support.HEED, "train",
                           str(file), "--run", str(tmp_path / "run")], env=support.ENVIRONMENT)
    assert done.returncode == 0
    for written in (tmp_path / "run").rglob("*"):
        if written.is_file() and written.name != "train.log":
            assert b"parameters" not in written.read_bytes(), written
    shut = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", support.HEED, "info",
                           str(tmp_path / "run")], env=support.ENVIRONMENT, stderr=subprocess.PIPE)
    assert shut.returncode == 1 and b"standard output" in shut.stderr


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_translation_leaves_no_part(sent, translator, tmp_path):
    process = subprocess.Popen([support.HEED, "translate", str(translator), "--output",
                                str(tmp_path / "out.txt")], stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=support.ENVIRONMENT)
    end = time.monotonic() + 60
    while not any(tmp_path.iterdir()):
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    process.communicate(timeout=60)
    assert process.returncode == 128 + sent
    assert list(tmp_path.iterdir()) == []


def test_a_typed_line_is_answered_before_the_next(translator):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([support.HEED, "translate", str(translator)], stdin=theirs,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=support.ENVIRONMENT)
    os.close(theirs)
    try:
        for line in (b"the cat sees you\n", b"a dog hears a bird\n"):
            os.write(ours, line)
            ready, _, _ = select.select([process.stdout], [], [], 60)
            assert ready, "no answer while the input is open"
            assert process.stdout.readline().strip()
    finally:
        os.close(ours)
        process.communicate(timeout=60)


def test_words_the_vocabulary_lacks_are_counted(translator, classifier):
    text = "the cat sees you\nzebras are qwertz\none first qwertz\n"
    for command, run_dir in (("translate", translator), ("classify", classifier)):
        errors = support.run(command, run_dir, stdin=text).stderr.decode()
        assert "tokens the vocabulary lacks, in " in errors, errors
    quiet = support.run("translate", translator, stdin="the cat sees you\n").stderr
    assert quiet == b""
    once = support.run("attend", translator, "--source", "zebras see").stderr.decode()
    assert "--source: 2 tokens the vocabulary lacks, in 1 line, read as <unk>" in once
