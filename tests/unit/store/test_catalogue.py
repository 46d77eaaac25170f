from __future__ import annotations

import re
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.store import catalogue, rows
from perdure.store.catalogue import parse, translate
from perdure.store.sqlite import open_store

pytestmark = pytest.mark.req("store.catalogue")

SQL = Path(catalogue.SQL)
AREAS = sorted({path.stem for folder in ("queries", "sqlite") for path in (SQL / folder).glob("[!0-9]*.sql")})
STATEMENTS = [(area, name) for area in AREAS for name in catalogue.load(area, "sqlite")]
CODE = "\n".join(path.read_text() for path in SQL.parent.glob("*.py"))


def test_a_file_holds_statements_under_their_names():
    text = "-- what this is\n\n-- name: one\nSELECT 1;\n\n-- name: two\n-- why\nSELECT\n    2;\n"

    assert parse(text) == {"one": "SELECT 1", "two": "-- why\nSELECT\n    2"}
    assert parse("") == {}


def test_a_name_stands_once_in_a_file():
    with pytest.raises(ValueError, match="'one' stands twice"):
        parse("-- name: one\nSELECT 1;\n-- name: one\nSELECT 2;\n")


def test_an_engine_replaces_single_statements(tmp_path, monkeypatch):
    for folder, text in (("queries", "-- name: a\n1;\n-- name: b\n2;\n"), ("other", "-- name: b\n3;\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "area.sql").write_text(text)
    monkeypatch.setattr(catalogue, "SQL", str(tmp_path))

    assert catalogue.load("area", "other") == {"a": "1", "b": "3"}
    assert catalogue.load("area", "none") == {"a": "1", "b": "2"}
    assert catalogue.load("nothing", "other") == {}


def test_migrations_come_in_order_the_shared_file_before_the_engines_own(tmp_path, monkeypatch):
    for name in ("migrations/0002_b.sql", "migrations/0001_z.sql", "other/0001_a.sql", "other/area.sql"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    monkeypatch.setattr(catalogue, "SQL", str(tmp_path))

    assert catalogue.migrations("other") == [
        (1, "0001_z", "migrations/0001_z.sql"),
        (1, "0001_a", "other/0001_a.sql"),
        (2, "0002_b", "migrations/0002_b.sql"),
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT :a, :b_2 FROM t", "SELECT %(a)s, %(b_2)s FROM t"),
        ("x = :a AND y = :a", "x = %(a)s AND y = %(a)s"),
        ("(:a,:b)", "(%(a)s,%(b)s)"),
        ("SELECT ':a', 'it''s :b', :c", "SELECT ':a', 'it''s :b', %(c)s"),
        ("-- not :this\nSELECT :that", "-- not :this\nSELECT %(that)s"),
        ("SELECT :a::text, b::int", "SELECT %(a)s::text, b::int"),
        ("x[1:2]", "x[1:2]"),
        ("a % b LIKE '5%' -- 100%", "a %% b LIKE '5%%' -- 100%%"),
        ("", ""),
    ],
)
def test_placeholders_become_those_of_psycopg(sql, expected):
    assert translate(sql) == expected


@given(
    st.lists(st.sampled_from(["SELECT", ":a", ":b_1", "::text", "'", "''", "--", "\n", "%", ":", " ", "é"])).map(
        "".join
    )
)
def test_a_translated_statement_with_its_names_put_back_is_the_statement(sql):
    names = {name: f":{name}" for name in re.findall(r"%\((\w+)\)s", translate(sql))}

    assert translate(sql) % names == sql


@given(st.text().filter(lambda text: ":" not in text))
def test_what_has_no_placeholder_changes_in_its_percent_signs_alone(sql):
    assert translate(sql) == sql.replace("%", "%%")


@pytest.fixture(scope="module")
def connection(tmp_path_factory):
    store = open_store(str(tmp_path_factory.mktemp("catalogue") / "ledger.db"))
    yield store.connection
    store.close()


@pytest.mark.parametrize(("area", "name"), STATEMENTS)
def test_every_statement_compiles_against_the_schema(connection, area, name):
    sql = rows.with_fragments(catalogue.load(area, "sqlite")[name])
    values = dict.fromkeys(re.findall(r":([a-z_]\w*)", sql))

    assert connection.execute(f"EXPLAIN {sql}", values).fetchall()


def test_a_statement_that_does_not_compile_is_noticed(connection):
    with pytest.raises(apsw.SQLError):
        connection.execute("EXPLAIN SELECT nothing FROM head")


@pytest.mark.parametrize(("area", "name"), STATEMENTS)
def test_every_statement_is_called_by_its_name(area, name):
    assert f'"{name}"' in CODE or name.startswith("count_")


@pytest.mark.parametrize(("area", "name"), STATEMENTS)
def test_every_statement_is_one_statement(area, name):
    assert apsw.complete(catalogue.load(area, "sqlite")[name] + ";")
    assert ";" not in catalogue.load(area, "sqlite")[name]
