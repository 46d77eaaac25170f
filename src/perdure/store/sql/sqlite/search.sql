-- name: lexical
SELECT rowid AS seq, -rank AS score FROM fulltext WHERE fulltext MATCH :match ORDER BY rank LIMIT :limit;

-- name: index_text
INSERT INTO fulltext (rowid, scope, title, body) VALUES (:seq, :scope, :title, :body);

-- name: reindex_text
UPDATE fulltext SET scope = :scope, title = :title, body = :body WHERE rowid = :seq;

-- name: averages
SELECT block FROM fulltext_data WHERE id = 1;

-- name: newest
SELECT coalesce(max(seq), 0) FROM revision;

-- name: nth_text
SELECT rowid FROM fulltext WHERE fulltext MATCH :match ORDER BY rowid LIMIT 1 OFFSET :before;

-- name: frequency
SELECT doc FROM vocabulary WHERE term = :term;
