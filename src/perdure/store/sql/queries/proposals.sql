-- name: put
INSERT INTO proposal (id, author, action, members, draft, confidence, reason, created)
VALUES (:id, :author, :action, :members, :draft, :confidence, :reason, :created)
ON CONFLICT (author, action, members) DO NOTHING
RETURNING id;

-- name: same
SELECT id FROM proposal WHERE author = :author AND action = :action AND members = :members;

-- name: get
SELECT {proposal} FROM proposal p WHERE p.id = :id AND p.author = :author;

-- name: handle
SELECT id FROM proposal WHERE author = :author AND substr(id, 25) >= :low AND substr(id, 25) < :high
ORDER BY id LIMIT :limit;

-- name: pending
SELECT {proposal} FROM proposal p WHERE p.author = :author AND p.standing = 'pending'
ORDER BY p.confidence DESC, p.created, p.id LIMIT :limit;

-- name: decide
UPDATE proposal SET standing = :standing, note = :note, resolved = :resolved, change = :change
WHERE id = :id AND author = :author AND standing = 'pending'
RETURNING id;

-- name: count
SELECT count(*) FROM proposal WHERE author = :author AND standing = 'pending';
