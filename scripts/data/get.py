#!/usr/bin/env python3
"""Fetches a public data set, or takes a local copy, and checks the sha256 of what each file holds.

usage: get.py NAME...

Files are made in a directory of another name, checked, and moved when all of them are right.
"""

import csv
import gzip
import hashlib
import io
import os
import re
import shutil
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = Path("data")
GITHUB = "https://raw.githubusercontent.com"
SECONDS = 60  # without an answer


class Fault(Exception):
    """One line for the user."""


def fetch(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            return answer.read()
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise Fault(f"{url}: can't be fetched ({reason}); try again with a network, or name a "
                    f"directory that holds a copy with HEED_DATA") from error


def one_space(text: str, remove: str = "") -> str:
    """White space joined, zero-width spaces included, and the edges trimmed."""
    if remove:
        text = re.sub(f"[{remove}]", "", text)
    return re.sub(r"[\s\u200b\ufeff]+", " ", text).strip()


def lines_of(raw: bytes, encoding: str = "utf-8") -> list[str]:
    lines = raw.decode(encoding).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def text(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


# Each function gives {file: what it holds}; a name in .gz is packed when it is written.


def multi30k() -> dict[str, bytes]:
    folder = f"{GITHUB}/multi30k/dataset/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw"
    splits = ("train", "val", "test_2016_flickr", "test_2017_flickr", "test_2017_mscoco",
              "test_2018_flickr")
    return {f"{split}.{side}": text([one_space(line) for line in lines_of(
                gzip.decompress(fetch(f"{folder}/{split}.{side}.gz")))])
            for split in splits for side in ("en", "de")}


def multi30k_bpe() -> dict[str, bytes]:
    folder = (f"{GITHUB}/LividWo/Revisit-MMT/dc368d0af8d60270b8f4aaa2f3ac58771c551da3/"
              "data/multi30k-en-de")
    files = {"code": fetch(f"{folder}/code")}
    for split in ("train", "valid", "test.2016", "test.2017", "test.coco"):
        for side in ("en", "de"):
            name = f"{split}.{side}" + (".gz" if split == "train" else "")
            files[name] = fetch(f"{folder}/{split}.{side}")
    return files


def tatoeba_en_de() -> dict[str, bytes]:
    """Split by a hash of each pair, so that the origin's order does not matter. Test and valid hold
    sentences of three words or more which, by letters and digits, occur once on either side."""
    archive = zipfile.ZipFile(io.BytesIO(fetch(
        f"{GITHUB}/rioyshky/translation/de48b7027f7318d77010a6e08ed928c10748c23d/deu-eng.zip")))
    pairs = [tuple(one_space(side, remove="\u00ad") for side in line.split("\t")[:2])
             for line in lines_of(archive.read("deu.txt"))]
    pairs.sort(key=lambda pair: hashlib.sha256("\t".join(pair).encode()).digest())

    def plain(side: str) -> str:
        return "".join(c for c in side.lower() if c.isalnum())

    seen: tuple[dict, dict] = ({}, {})
    for pair in pairs:
        for side, count in zip(pair, seen):
            count[plain(side)] = count.get(plain(side), 0) + 1
    held_out = [pair for pair in pairs if len(pair[0].split()) >= 3 and
                all(count[plain(side)] == 1 for side, count in zip(pair, seen))][:4000]
    rest = set(held_out)
    files = {"ATTRIBUTION.txt": archive.read("_about.txt")}
    for name, part in (("test", held_out[:2000]), ("valid", held_out[2000:]),
                       ("train", [pair for pair in pairs if pair not in rest])):
        packed = ".gz" if name == "train" else ""
        for side, place in (("en", 0), ("de", 1)):
            files[f"{name}.{side}{packed}"] = text([pair[place] for pair in part])
    return files


SENT_CONV = f"{GITHUB}/harvardnlp/sent-conv-torch/d61ded09c99c0199d8c5bca946cd65864de2b296/data"


def trec6() -> dict[str, bytes]:
    files = {}
    for split in ("train", "test"):
        rows = [one_space(line).split(" ", 1)
                for line in lines_of(fetch(f"{SENT_CONV}/raw/TREC.{split}"), "latin-1")]
        files[f"{split}.tsv"] = text([f"{label.split(':')[0]}\t{line}" for label, line in rows])
        files[f"{split}.fine.tsv"] = text([f"{label}\t{line}" for label, line in rows])
    return files


def sst2() -> dict[str, bytes]:
    def sentence(split: str) -> bytes:
        rows = [one_space(line).split(" ", 1)
                for line in lines_of(fetch(f"{SENT_CONV}/stsa.binary.{split}"))]
        marks = (("-lrb-", "("), ("-rrb-", ")"), ("\\/", "/"))
        for row in rows:
            for written, meant in marks:
                row[1] = row[1].replace(written, meant)
        return text(["\t".join(row) for row in rows])

    def glue(file: str) -> bytes:
        url = (f"{GITHUB}/eyalbd2/Reproducing-AutoPrompt/"
               f"6288fb5bec9c572f2492875ae0111df5b6daed11/glue_data/SST-2/{file}.tsv")
        rows = [line.split("\t") for line in lines_of(fetch(url))[1:]]
        return text([f"{label.strip()}\t{one_space(line)}" for line, label in rows])

    files = {f"sentence/{split}.tsv": sentence(split) for split in ("train", "dev", "test")}
    files["glue/train.tsv.gz"] = glue("train_full")
    files["glue/dev.tsv"] = glue("dev")
    return files


AG_ORIGIN = "mhjabreel/CharCnn_Keras/555590db4219b1243abb1918effd6a7425a2d75f/data/ag_news_csv"
# Where training rows are published; the later ones are asked for what the earlier lack.
AG_PARTS = (
    f"{AG_ORIGIN}/train.csv",
    "yxhong-tw/AG-News-Exercise/0d786f2fd76ecfe0989a7ad3eaf9089e63890b12/data/formal/validation.csv",
    "MushfiqShovon/ptq_gendisc/ce810cc05df9f4f73b12a038bc84b61824dc699f/data/ag_news/valid.csv",
    "hhf-hd/NoisyAG-News/94f5e5b24d49a64c0128caf90247869f991bd7c0/dataset/samples10000valMed.csv",
    "HenryPengZou/JointMatch/e976613f55776ce597a2fa06c30ef02512bef82d/data/ag_news/dev.csv",
    "forest-snow/alps/3c7ef2c98249fc975a897b27f275695f97d5b7a9/data/agnews/dev.tsv",
)
AG_ROWS = {"train.csv.gz": 22400, "valid.csv": 2000, "train_extra_no_title.csv.gz": 13200}
AG_NAME_BYTES = 5


def ag_name(description: str) -> bytes:
    return hashlib.sha256(description.encode()).digest()[:AG_NAME_BYTES]


def ag_texts(wanted: set[bytes]) -> dict[bytes, tuple[str, str]]:
    """Title and description by the name of the description."""
    found: dict[bytes, tuple[str, str]] = {}
    for part in AG_PARTS:
        if wanted <= found.keys():
            break
        delimiter = "\t" if part.endswith(".tsv") else ","
        raw = fetch(f"{GITHUB}/{part}").decode()
        for row in csv.reader(io.StringIO(raw, newline=""), delimiter=delimiter):
            cells = [one_space(cell) for cell in row]
            for place, cell in enumerate(cells):
                before = cells[place - 1] if place > 0 else ""
                found.setdefault(ag_name(cell), ("" if before.isdigit() else before, cell))
    return found


def ag_news() -> dict[str, bytes]:
    """A balanced part of the original training set: ag_news_rows.bin names the rows of each file,
    in order, by a hash of the description, and gives their class."""
    index = (HERE / "ag_news_rows.bin").read_bytes()
    step = AG_NAME_BYTES + 1
    entries = [(index[at:at + AG_NAME_BYTES], index[at + AG_NAME_BYTES])
               for at in range(0, len(index), step)]
    texts = ag_texts({name for name, _ in entries})
    files = {"test.csv": fetch(f"{GITHUB}/{AG_ORIGIN}/test.csv"),
             "classes.txt": fetch(f"{GITHUB}/{AG_ORIGIN}/classes.txt"),
             "ORIGIN.txt": fetch(f"{GITHUB}/{AG_ORIGIN}/readme.txt")}
    begin = 0
    for file, count in AG_ROWS.items():
        rows = []
        for name, label in entries[begin:begin + count]:
            if name not in texts:
                raise Fault(f"ag_news: a row of {file} is in none of its origins; they have changed")
            title, description = texts[name]
            cells = (str(label), "" if "no_title" in file else title, description)
            rows.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
        files[file] = text(rows)
        begin += count
    return files


MULTI30K_TERMS = "terms of Flickr30K: non-commercial research and education"
# name -> its folder under data/, how it is fetched, the terms
SETS = {
    "multi30k_en_de": ("multi30k", multi30k, MULTI30K_TERMS),
    "multi30k_de_en": ("multi30k", multi30k, MULTI30K_TERMS),
    "multi30k_de_en_rnn": ("multi30k", multi30k, MULTI30K_TERMS),
    "multi30k_small": ("multi30k", multi30k, MULTI30K_TERMS),
    "multi30k_base": ("multi30k", multi30k, MULTI30K_TERMS),
    "multi30k_bpe_en_de": ("multi30k_bpe", multi30k_bpe, MULTI30K_TERMS),
    "tatoeba_en_de": ("tatoeba_en_de", tatoeba_en_de,
                      "CC BY 2.0, attribution: www.manythings.org/anki and tatoeba.org"),
    "trec6": ("trec6", trec6, "no licence stated; published for research"),
    "sst2": ("sst2", sst2, "no licence stated; published for research"),
    "ag_news": ("ag_news_subset", ag_news, "non-commercial activity, see its ORIGIN.txt"),
}


def checksums() -> dict[str, dict[str, str]]:
    """Of each folder: sha256 by file, of the unpacked content."""
    sums: dict[str, dict[str, str]] = {}
    for line in (HERE / "checksums.txt").read_text("utf-8").splitlines():
        total, path = line.split(maxsplit=1)
        folder, _, file = path.partition("/")
        sums.setdefault(folder, {})[file] = total
    return sums


def content(file: Path) -> bytes:
    raw = file.read_bytes()
    if file.suffix != ".gz":
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError) as error:
        raise Fault(f"{file}: damaged gzip file ({error})") from error


def check(where: str, held: bytes, wanted: str) -> None:
    found = hashlib.sha256(held).hexdigest()
    if found != wanted:
        raise Fault(f"{where}: sha256 of its content is {found[:16]}..., expected {wanted[:16]}...; "
                    "it is not the file that the configs were made for")


def whole(folder: Path, sums: dict[str, str]) -> bool:
    """Whether every file is there; throws where one differs."""
    if not all((folder / file).is_file() for file in sums):
        return False
    for file, wanted in sums.items():
        check(str(folder / file), content(folder / file), wanted)
    return True


def write(file: Path, held: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(held, mtime=0) if file.suffix == ".gz" else held)


def get(name: str, given: Path | None) -> str:
    """What was done, in one line. given: where a copy may be."""
    folder, origin, _ = SETS[name]
    sums = checksums()[folder]
    target = DATA / folder
    if whole(target, sums):
        return f"{target} is there already"
    local = given / folder if given else None
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder}-", dir=DATA) as scratch:
        made = Path(scratch) / folder
        if local and local.is_dir() and local.resolve() != target.resolve():
            if not whole(local, sums):
                absent = [file for file in sums if not (local / file).is_file()]
                raise Fault(f"{local}: no {absent[0]} in it; complete the copy, or unset HEED_DATA")
            for file in sums:
                (made / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(local / file, made / file)
            done = f"copied from {local}"
        else:
            for file, held in origin().items():
                check(f"{folder}/{file}, as fetched", held, sums[file])
                write(made / file, held)
            done = "fetched"
        for file in sums:
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            (made / file).replace(target / file)
    return f"{target} {done}, {len(sums)} files checked"


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in SETS]
    if unknown or not names:
        what = f"there is no data set '{unknown[0]}'" if unknown else "name a data set"
        print(f"get_data: {what}; there are {', '.join(SETS)}", file=sys.stderr)
        return 2
    given = os.environ.get("HEED_DATA")
    given = Path(given).resolve() if given else None
    os.chdir(HERE.parent.parent)
    try:
        for name in names:
            print(f"{name}: {get(name, given)}; {SETS[name][2]}", file=sys.stderr)
    except (Fault, OSError) as error:
        print(f"get_data: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
