-- name: put
INSERT INTO job (kind, key, payload, due) VALUES (:kind, :key, :payload, :due)
ON CONFLICT (kind, key) DO UPDATE SET
    payload = excluded.payload, state = 'waiting', due = excluded.due, attempts = 0, token = '', error = ''
WHERE job.state <> 'waiting' OR job.payload <> excluded.payload;

-- name: next
SELECT id, kind, key, payload, attempts FROM job
WHERE kind = :kind AND state <> 'done' AND due <= :now AND lease <= :now
ORDER BY due, id LIMIT 1;

-- name: lease
UPDATE job SET state = 'leased', lease = :until, worker = :worker, token = :token, attempts = attempts + 1
WHERE id = :id AND state <> 'done' AND lease <= :now
RETURNING id;

-- name: done
UPDATE job SET state = 'done', lease = 0, token = '' WHERE id = :id AND token = :token RETURNING id;

-- name: failed
UPDATE job SET state = 'waiting', lease = 0, token = '', due = :due, error = :error
WHERE id = :id AND token = :token
RETURNING id;

-- name: waiting
SELECT kind, count(*) FROM job WHERE state <> 'done' GROUP BY kind ORDER BY kind;
