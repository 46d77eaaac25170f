-- name: lexical
SELECT rowid AS seq, -rank AS score FROM fulltext WHERE fulltext MATCH :match ORDER BY rank LIMIT :limit;

-- name: index_text
INSERT INTO fulltext (rowid, scope, title, body) VALUES (:seq, :scope, :title, :body);

-- name: reindex_text
UPDATE fulltext SET scope = :scope, title = :title, body = :body WHERE rowid = :seq;

-- name: texts
SELECT count(*) FROM fulltext_docsize;

-- name: frequency
SELECT doc FROM vocabulary WHERE term = :term;
