"""The query in DuckDB, as docs/scale.md has it, counts what the program counts."""

import pytest
import scale_page
from program import run

SECTION = "The same in SQL"


def test_the_section_prints_what_it_shows_and_fits_the_same_model(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    scale_page.check(SECTION, tmp_path)
    for part in range(3):
        flags = ("--reference", "class:ok", "--quiet", "-o", f"{part}.json")
        run("stats", f"scores/part-{part}.parquet", "--id", "id", *flags, cwd=tmp_path)
    run("merge", "0.json", "1.json", "2.json", "--quiet", "-o", "all.json", cwd=tmp_path)
    run("fit", "--stats", "all.json", "--quiet", "-o", "counted.json", cwd=tmp_path)
    assert (tmp_path / "counted.json").read_text() == (tmp_path / "model.json").read_text()
