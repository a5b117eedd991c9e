"""Runs the real program on small files. The program: HEED in the environment, else build/heed."""
import array
import json
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEED = os.environ.get("HEED", str(ROOT / "build" / "heed"))
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}

SUBJECTS = ["the cat", "a dog", "the old man", "my sister"]
VERBS = ["sees", "likes", "follows", "hears"]
OBJECTS = ["the house", "a bird", "the red car", "some trees", "you"]
GERMAN = {"the": "das", "cat": "Katze", "a": "ein", "dog": "Hund", "old": "alte", "man": "Mann",
          "my": "meine", "sister": "Schwester", "sees": "sieht", "likes": "mag", "follows": "folgt",
          "hears": "hört", "house": "Haus", "bird": "Vogel", "red": "rote", "car": "Auto",
          "some": "einige", "trees": "Bäume", "you": "dich"}


class ForkServer:
    """The program, loaded once: loading LibTorch takes longer than most of what a test asks of it.
    Each run is a fork that begins at main(); see tests/support/fork_server.cpp."""

    def __init__(self, library: str):
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [HEED], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
                env={**ENVIRONMENT, "LD_PRELOAD": library, "HEED_FORK_SERVER": str(theirs.fileno())})

    def run(self, args: list[str], stdin: bytes, environment: dict, timeout: float, cwd: Path):
        reading, writing = os.pipe()
        with os.fdopen(reading) as given, tempfile.TemporaryFile() as out, \
                tempfile.TemporaryFile() as err:
            os.write(writing, stdin)
            os.close(writing)
            variables = [f"{name}={value}" for name, value in environment.items()]
            texts = [os.fspath(cwd), str(1 + len(args)), HEED, *args, *variables]
            streams = array.array("i", [given.fileno(), out.fileno(), err.fileno()])
            self.socket.settimeout(timeout)
            self.socket.sendmsg([b"".join(os.fsencode(text) + b"\0" for text in texts)],
                                [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
            child = int.from_bytes(self.socket.recv(4), "little")
            try:
                status = int.from_bytes(self.socket.recv(4), "little")
            except BaseException:
                os.kill(child, signal.SIGKILL)
                self.socket.settimeout(None)
                self.socket.recv(4)
                raise
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess([HEED, *args], os.waitstatus_to_exitcode(status),
                                               out.read(), err.read())


SERVER: ForkServer | None = None
PIPE_ROOM = 65536  # bytes a pipe takes before anyone reads


def run(*args, stdin: bytes | str = b"", code: int | None = 0, timeout: float = 120,
        environment: dict = {}, cwd: Path = Path.cwd(), **more):
    """The finished process, its stdout and stderr as bytes; asserts its exit code unless None.
    Runs with limits and the like (`more`, for subprocess.run) load a program of their own."""
    global SERVER
    if isinstance(stdin, str):
        stdin = stdin.encode()
    words, variables = [str(arg) for arg in args], {**ENVIRONMENT, **environment}
    if more or len(stdin) > PIPE_ROOM or "HEED_FORK_LIBRARY" not in os.environ:
        done = subprocess.run([HEED, *words], input=stdin, capture_output=True, env=variables,
                              timeout=timeout, cwd=cwd, **more)
    else:
        SERVER = SERVER or ForkServer(os.environ["HEED_FORK_LIBRARY"])
        done = SERVER.run(words, stdin, variables, timeout, cwd)
    if code is not None:
        assert done.returncode == code, (args, done.returncode, done.stderr.decode()[-2000:])
    return done


def start(*args, stderr=subprocess.PIPE) -> subprocess.Popen:
    return subprocess.Popen([HEED, *map(str, args)], stdin=subprocess.DEVNULL, env=ENVIRONMENT,
                            stdout=subprocess.PIPE, stderr=stderr)


def one_line_error(done) -> str:
    """The error a user reads: exactly one line that begins with "error: ", no trace."""
    errors = [line for line in done.stderr.decode().splitlines() if line.startswith("error: ")]
    assert len(errors) == 1, done.stderr.decode()
    assert "Exception raised from" not in done.stderr.decode()
    assert "a bug in heed" not in errors[0], errors[0]
    assert done.stdout == b""
    return errors[0]


def refused(*args, code: int, **more) -> str:
    return one_line_error(run(*args, code=code, **more))


def sentences(count: int, seed: int) -> list[tuple[str, str]]:
    """English and a German of the same length whose verb stands last."""
    draw = random.Random(seed)
    out = []
    for _ in range(count):
        subject, verb, what = (draw.choice(words) for words in (SUBJECTS, VERBS, OBJECTS))
        english = f"{subject} {verb} {what}"
        order = f"{subject} {what} {verb}"
        out.append((english, " ".join(GERMAN[word] for word in order.split())))
    return out


def write_translation_data(folder: Path) -> None:
    for split, count, seed in (("train", 300, 1), ("valid", 30, 2), ("test", 30, 3)):
        pairs = sentences(count, seed)
        (folder / f"{split}.en").write_text("".join(s + "\n" for s, _ in pairs), "utf-8")
        (folder / f"{split}.de").write_text("".join(t + "\n" for _, t in pairs), "utf-8")


def write_classification_data(folder: Path) -> None:
    """Whether "first" comes before "second"; the words around say nothing."""
    draw = random.Random(4)
    for split, count in (("train", 300), ("valid", 40), ("test", 40)):
        lines = []
        for _ in range(count):
            words = [draw.choice(["one", "two", "three", "four"]) for _ in range(draw.randrange(2, 7))]
            marks = draw.sample(["first", "second"], 2)
            for place, mark in zip(sorted(draw.sample(range(len(words) + 1), 2)), marks):
                words.insert(place, mark)
            label = "yes" if words.index("first") < words.index("second") else "no"
            lines.append(f"{label}\t{' '.join(words)}\n")
        (folder / f"{split}.tsv").write_text("".join(lines), "utf-8")


def config(task: str, **sections) -> dict:
    """A small complete config; each keyword adds to, or replaces in, one section."""
    if task == "translate":
        data = {split: {"source": f"{split}.en", "target": f"{split}.de"}
                for split in ("train", "valid", "test")}
    else:
        data = {split: {"file": f"{split}.tsv"} for split in ("train", "valid", "test")}
    out = {
        "task": task, "seed": 3, "data": {**data, "max_len": 30},
        "tokenizer": {"type": "word", "shared": False},
        "model": {"d_model": 16, "heads": 2, "d_ff": 32, "enc_layers": 2, "dropout": 0.1},
        "train": {"batch_tokens": 200, "lr": 0.01, "warmup_steps": 20, "max_steps": 60,
                  "eval_every": 30, "label_smoothing": 0.1},
        "checkpoint": {"every": 30},
        "decode": {"batch_size": 8},
        "log": {"every": 1},
    }
    if task == "translate":
        out["model"]["dec_layers"] = 2
        out["decode"]["beam_size"] = 3
    for section, keys in sections.items():
        out[section] = {**out[section], **keys} if isinstance(keys, dict) else keys
    return out


def write_config(folder: Path, value: dict, name: str = "small.json") -> Path:
    file = folder / name
    file.write_text(json.dumps(value), "utf-8")
    return file


def write_data(folder: Path, task: str) -> None:
    {"translate": write_translation_data, "classify": write_classification_data}[task](folder)


def train(folder: Path, task: str, name: str = "run", **sections) -> Path:
    """Writes data and config into `folder`, trains, and gives back the run directory."""
    write_data(folder, task)
    file = write_config(folder, config(task, **sections), f"{name}.json")
    run("train", file, "--run", folder / name)
    return folder / name


def metrics(run_dir: Path, event: str) -> list[dict]:
    """Whole lines of metrics.jsonl so far, strict JSON."""
    file = run_dir / "metrics.jsonl"
    if not file.exists():
        return []

    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    lines = file.read_text("utf-8").split("\n")[:-1]
    items = [json.loads(line, parse_constant=refuse) for line in lines]
    return [item for item in items if item["event"] == event]


def wait_for_step(process: subprocess.Popen, run_dir: Path, step: int, seconds: float = 60) -> None:
    """Returns when the training `process` has logged `step`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        logged = metrics(run_dir, "step")
        if logged and logged[-1]["step"] >= step:
            return
        assert process.poll() is None, process.communicate()[1].decode()[-2000:]
        time.sleep(0.005)
    raise AssertionError(f"no step {step} within {seconds} s")


def edit_json(file: Path, change) -> None:
    """Rewrites `file` as change(its JSON) leaves it."""
    value = json.loads(file.read_text("utf-8"))
    change(value)
    file.write_text(json.dumps(value), "utf-8")


def checkpoint(run_dir: Path, which: str = "last") -> Path:
    """The directory best.json or last.json points to."""
    pointer = json.loads((run_dir / f"{which}.json").read_text())
    return run_dir / "checkpoints" / f"step-{pointer['step']:06d}"


def target_pieces(run_dir: Path) -> int:
    """The size of the target's vocabulary, as heed info tells it."""
    text = run("info", run_dir).stdout.decode()
    return int(re.search(r"(?:shared|target) · \w+ · (\d+) pieces", text)[1])
