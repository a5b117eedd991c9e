"""heed verify: the checklist of a trained run and of a config, as text and as JSON."""
import json

import support


def checklist(*args, code=0):
    done = support.run("verify", *args, "--json", code=code)
    return json.loads(done.stdout), done


def test_a_trained_run_passes(translator, classifier):
    for run_dir in (translator, classifier):
        report, _ = checklist(run_dir)
        assert report["failed"] == 0 and report["passed"] >= 14
        for check in report["checks"]:
            assert set(check) == {"name", "measured", "at_least", "at_most", "result", "reason"}
            if check["result"] == "n/a":
                assert check["measured"] is None and check["reason"]
            else:
                assert check["result"] == "pass" and check["measured"] is not None
                assert check["at_least"] is None or check["measured"] >= check["at_least"]
                assert check["at_most"] is None or check["measured"] <= check["at_most"]


def test_the_table_has_80_columns_a_reason_for_each_n_a_and_the_counts(translator):
    text = support.run("verify", translator).stdout.decode()
    lines = text.splitlines()
    assert max(map(len, lines)) <= 80
    report, _ = checklist(translator)
    for check in report["checks"]:
        place = next(i for i, line in enumerate(lines) if line.startswith(check["name"] + "  "))
        assert lines[place].endswith("  " + check["result"])
        if check["result"] == "n/a":
            assert lines[place + 1].startswith("    ")
    assert lines[-1] == (f"{report['passed']} pass, {report['failed']} fail, "
                         f"{report['not_applicable']} n/a")


def test_a_config_is_checked_with_fresh_weights_and_set_changes_it(tmp_path):
    support.write_data(tmp_path, "translate")
    file = support.write_config(tmp_path, support.config("translate"))
    report, _ = checklist(file, "--set", "model.positions=none", "--set", "model.dropout=0")
    results = {check["name"]: check for check in report["checks"]}
    assert report["failed"] == 0
    assert results["without positions, order changes nothing"]["result"] == "pass"
    assert results["with positions, swapped tokens change others"]["reason"] == (
        "model.positions is none")
    assert results["dropout acts in training"]["result"] == "n/a"


def test_a_config_needs_none_of_the_files_it_names(tmp_path):
    file = support.ROOT / "configs" / "multi30k_base.json"
    edits = [word for key in ("d_model=32", "d_ff=32", "heads=2", "enc_layers=1", "dec_layers=1")
             for word in ("--set", "model." + key)]
    report, _ = checklist(file, *edits, "--set", "tokenizer.vocab_size=50")
    assert report["failed"] == 0
    assert "no/such" in support.refused("verify", "no/such.json", code=1)


def test_a_failure_is_shown_and_ends_with_1(tmp_path):
    """Unscaled products of deep heads: what the scale is for."""
    support.write_data(tmp_path, "classify")
    file = support.write_config(tmp_path, support.config("classify"))
    edits = ("--set", "model.attention.type=dot", "--set", "model.d_model=256")
    report, done = checklist(file, *edits, code=1)
    failed = [check for check in report["checks"] if check["result"] == "fail"]
    assert "std of scores, input of unit variance" in [check["name"] for check in failed]
    assert all(check["measured"] > 5 for check in failed)
    errors = [line for line in done.stderr.decode().splitlines() if line.startswith("error: ")]
    assert len(errors) == 1 and f"{len(failed)} of {len(report['checks'])} checks failed" in errors[0]


def test_what_is_no_run_and_no_config_is_refused(tmp_path, translator):
    assert "no/such" in support.refused("verify", "no/such", code=1)
    assert "--set" in support.refused("verify", translator, "--set", "model.heads=1", code=2)
