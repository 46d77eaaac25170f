-- name: put
INSERT INTO work_order (author, kind, about, role, project, subject, created, due)
VALUES (:author, :kind, :about, :role, :project, :subject, :created, :due)
RETURNING {order};

-- name: renew
UPDATE work_order SET role = :role, project = :project, subject = :subject, due = :due
WHERE id = :id AND author = :author
RETURNING {order};

-- name: get
SELECT {order} FROM work_order WHERE id = :id AND author = :author;

-- name: newest
SELECT {order} FROM work_order WHERE author = :author AND kind = :kind AND about = :about ORDER BY id DESC LIMIT 1;

-- name: due
SELECT {order} FROM work_order
WHERE author = :author AND state IN ('waiting', 'leased') AND due <= :now AND lease <= :now
    AND CAST(:kinds AS TEXT) LIKE '%|' || kind || '|%'
ORDER BY due, id LIMIT 1;

-- name: settle
UPDATE work_order SET state = :state, due = :due, lease = :lease, token = :token, attempts = :attempts,
    rejected = :rejected, cut = :cut, answer = :answer, reason = :reason, served = :served
WHERE id = :id AND author = :author AND state <> 'done'
RETURNING id;

-- name: held
SELECT id FROM work_order WHERE id = :id AND author = :author AND state = 'leased' AND token = :token;

-- name: listed
SELECT {order} FROM work_order
WHERE author = :author AND CAST(:states AS TEXT) LIKE '%|' || state || '|%'
ORDER BY id DESC LIMIT :limit;

-- name: counts
SELECT state, count(*) FROM work_order WHERE author = :author GROUP BY state ORDER BY state;

-- name: spend
INSERT INTO spend (author, day, role, calls, tokens) VALUES (:author, :day, :role, :calls, :tokens)
ON CONFLICT (author, day, role) DO UPDATE SET calls = spend.calls + :calls, tokens = spend.tokens + :tokens;

-- name: spent
SELECT role, calls, tokens FROM spend WHERE author = :author AND day = :day ORDER BY role;
