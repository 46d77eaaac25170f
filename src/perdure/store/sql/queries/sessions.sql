-- name: register
INSERT INTO session (id, host, ref, transcript, cwd, parent, project, author, position, size, started, ended)
VALUES (:id, :host, :ref, :transcript, :cwd, :parent, :project, :author, :position, :size, :started, :ended)
ON CONFLICT (host, ref) DO NOTHING;

-- name: find
SELECT {session} FROM session s WHERE s.host = :host AND s.ref = :ref;

-- name: pending
SELECT {session} FROM session s WHERE s.size > s.position ORDER BY s.started IS NOT NULL, s.started, s.id;

-- name: grow
UPDATE session SET size = CASE WHEN size > :size THEN size ELSE :size END, ended = coalesce(:ended, ended)
WHERE id = :id;

-- name: advance
UPDATE session SET position = :end, size = CASE WHEN size > :end THEN size ELSE :end END,
    started = coalesce(started, :started)
WHERE id = :id AND position = :position
RETURNING id;

-- name: settle
UPDATE session SET size = position WHERE id = :id AND size = :size;

-- name: last_prompt
SELECT coalesce(max(position), 0) FROM turn WHERE session = :session AND role = 'user' AND position < :before;

-- name: record
INSERT INTO turn (session, uuid, role, at, position, text, attrs)
VALUES (:session, :uuid, :role, :at, :position, :text, :attrs)
ON CONFLICT (session, uuid) DO NOTHING
RETURNING seq;

-- name: turns
SELECT uuid, role, at, text, position, attrs FROM turn
WHERE session = :session AND position >= :since ORDER BY position, seq;

-- name: mark
INSERT INTO injection (session, memory, via, at) VALUES (:session, :memory, :via, :at)
ON CONFLICT (session, memory) DO UPDATE SET via = excluded.via, at = excluded.at;

-- name: marked
SELECT memory, via FROM injection WHERE session = :session ORDER BY memory;

-- name: defect
INSERT INTO defect (path, position, reason, at) VALUES (:path, :position, :reason, :at) ON CONFLICT DO NOTHING;

-- name: defects
SELECT path, position, reason FROM defect ORDER BY at DESC, path, position LIMIT :limit;

-- name: latest
SELECT {session} FROM session s
WHERE s.author = :author OR s.project IN (SELECT project FROM member WHERE author = :author)
ORDER BY s.started IS NULL, s.started DESC, s.id DESC LIMIT :limit;

-- name: count_sessions
SELECT count(*) FROM session;

-- name: count_turns
SELECT count(*) FROM turn;

-- name: count_defects
SELECT count(*) FROM defect;
