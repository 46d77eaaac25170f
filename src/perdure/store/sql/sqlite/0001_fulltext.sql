-- The lexical index of SQLite: terms are made by perdure.domain.terms and only stored here, so that every engine finds
-- the same. ``scope`` holds the audience as one term, so that the index itself narrows to what may be read: in
-- hexadecimal, since the tokenizer folds case, and behind ``=`` where the statement stands or ``<`` where it holds no
-- more. Every character but a space belongs to a term.

-- PERD: what tools such as file(1) know the database by.
PRAGMA application_id = 1346720324;

CREATE VIRTUAL TABLE fulltext USING fts5 (
    scope, title, body,
    content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'"
);

INSERT INTO fulltext (fulltext, rank) VALUES ('rank', 'bm25(0.0, 2.0, 1.0)');

CREATE VIRTUAL TABLE vocabulary USING fts5vocab (fulltext, 'row');
