-- name: begin
INSERT INTO audit (change, at, author, action, memory, channel, detail)
VALUES (:change, :at, :author, :action, :memory, :channel, :detail);

-- name: newest_change
SELECT coalesce(max(change), 0) FROM audit;

-- name: audit
SELECT at, author, action, memory, channel, detail FROM audit WHERE change = :change;

-- name: remember
INSERT INTO idempotency (key, change, memory, revision) VALUES (:key, :change, :memory, :revision);

-- name: latest
SELECT change FROM audit
WHERE author = :author AND undone = 0 AND action <> 'undo' AND memory <> ''
ORDER BY change DESC LIMIT 1;

-- name: undoing
SELECT undone FROM audit WHERE change = :change AND undone > 0;

-- name: undone
UPDATE audit SET undone = :by WHERE change = :change AND undone = 0 RETURNING change;
