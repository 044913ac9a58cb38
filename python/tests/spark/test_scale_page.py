"""The code of docs/scale.md runs on Spark, and prints what the page shows."""

from __future__ import annotations

import pytest
import scale_page
from support import without_options

from cwplugin import Model
from cwplugin import spark as on_spark

IN_DUCKDB, IN_SPARK = "The same in SQL", "The same in Spark SQL"


@pytest.mark.parametrize("section", [name for name in scale_page.sections() if name not in (IN_DUCKDB, IN_SPARK)])
def test_a_section_prints_what_it_shows(spark, section, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scale_page.check(section, tmp_path)


@pytest.mark.parametrize("section", [IN_DUCKDB, IN_SPARK])
def test_sql_counts_what_the_executors_count(spark, section, tmp_path, monkeypatch):
    if section == IN_DUCKDB:
        pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    scale_page.check(section, tmp_path)
    rows = spark.read.parquet(str(tmp_path / "scores"))
    fitted = on_spark.fit(rows, reference="class:ok", score=False)
    assert without_options(fitted) == without_options(Model.load("model.json"))


def test_every_block_is_run():
    text = scale_page.PAGE.read_text(encoding="utf-8")
    of_sections = "".join(scale_page.sections().values())
    assert text.count("```python") == of_sections.count("```python") >= 7
    assert text.count("```console") == of_sections.count("```console") >= 4
