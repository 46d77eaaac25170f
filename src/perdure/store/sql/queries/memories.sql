-- name: add_memory
INSERT INTO memory (id, kind, author, scope, project, created)
VALUES (:id, :kind, :author, :scope, :project, :created);

-- name: append_revision
INSERT INTO revision (seq, id, memory, parent, title, body, tags, attrs, type, state, valid_from, valid_to, expires,
                      importance, confidence, pinned, recorded_at, recorded_by, cause, digest, wording, change)
VALUES (:seq, :id, :memory, :parent, :title, :body, :tags, :attrs, :type, :state, :valid_from, :valid_to, :expires,
        :importance, :confidence, :pinned, :recorded_at, :recorded_by, :cause, :digest, :wording, :change);

-- name: newest
SELECT coalesce(max(seq), 0) FROM revision;

-- name: add_source
INSERT INTO source (revision, channel, trust, session, excerpt)
VALUES (:revision, :channel, :trust, :session, :excerpt);

-- name: add_head
INSERT INTO head (memory, revision, wording, audience, kind, type, state, live, trust, valid_from, valid_to, expires,
                  importance, pinned, digest)
VALUES (:memory, :revision, :wording, :audience, :kind, :type, :state, :live, :trust, :valid_from, :valid_to, :expires,
        :importance, :pinned, :digest);

-- name: set_head
UPDATE head SET revision = :revision, wording = :wording, type = :type, state = :state, live = :live, trust = :trust,
                valid_from = :valid_from, valid_to = :valid_to, expires = :expires, importance = :importance,
                pinned = :pinned, digest = :digest
WHERE memory = :memory;

-- name: head_of
SELECT wording, live FROM head WHERE memory = :memory;

-- name: identity
SELECT m.id, m.kind, m.author, m.scope, m.project, m.created FROM memory m WHERE m.id = :memory;

-- name: add_link
INSERT INTO link (src, dst, kind) VALUES (:src, :dst, :kind) ON CONFLICT DO NOTHING;

-- name: links_of
SELECT src, dst, kind FROM link WHERE src = :memory
UNION
SELECT src, dst, kind FROM link WHERE dst = :memory
ORDER BY kind, src, dst;

-- name: latest_revision
SELECT {entry} {of_head}
WHERE h.memory = :memory;

-- name: revision_known_at
SELECT {entry} {of_revision}
WHERE r.memory = :memory AND r.recorded_at <= :known_at
ORDER BY r.seq DESC LIMIT 1;

-- name: chain
SELECT {entry} {of_revision}
WHERE r.memory = :memory
ORDER BY r.seq;

-- name: written_by_change
SELECT {entry} {of_revision}
WHERE r.change = :change
ORDER BY r.seq;

-- name: revision
SELECT {entry} {of_revision}
WHERE r.seq = :seq;

-- name: memory_of_wording
SELECT memory FROM revision WHERE seq = :seq;

-- name: handle
SELECT m.id, m.kind, m.author, m.scope, m.project, m.created FROM memory m
WHERE substr(m.id, 25) >= :low AND substr(m.id, 25) < :high ORDER BY m.id;

-- name: heads_by_kind
SELECT {entry} {of_head}
WHERE h.audience = :audience AND h.kind = :kind AND h.trust >= :trust
  AND {head_stands}
ORDER BY h.valid_from DESC, h.revision DESC LIMIT :limit;

-- name: heads_by_type
SELECT {entry} {of_head}
WHERE h.audience = :audience AND h.type = :type AND h.trust >= :trust
  AND {head_stands}
ORDER BY h.valid_from DESC, h.revision DESC LIMIT :limit;

-- name: heads_of_preferences
SELECT {entry} {of_head}
WHERE h.audience = :audience AND h.type = 'preference' AND h.trust >= :trust
  AND {head_stands}
ORDER BY h.valid_from DESC, h.revision DESC LIMIT :limit;

-- name: heads_pinned
SELECT {entry} {of_head}
WHERE h.audience = :audience AND h.pinned = 1 AND h.trust >= :trust
  AND {head_stands}
ORDER BY h.valid_from DESC, h.revision DESC LIMIT :limit;

-- name: untouched
SELECT {entry} {of_head}
WHERE h.audience = :audience AND h.kind = :kind AND h.type = :type
  AND h.state = 'active' AND h.pinned = 0 AND m.author = :author AND r.recorded_at < :since
  AND NOT EXISTS (SELECT 1 FROM access a WHERE a.memory = h.memory AND a.last >= :since)
ORDER BY h.revision LIMIT :limit;

-- name: heads_known_at
SELECT {entry} FROM head h
JOIN revision r ON r.seq = (SELECT max(k.seq) FROM revision k WHERE k.memory = h.memory AND k.recorded_at <= :known_at)
JOIN memory m ON m.id = h.memory
JOIN source s ON s.revision = r.seq
WHERE h.audience = :audience
  AND (:as_of IS NULL OR (r.state <> 'retracted' AND r.valid_from <= :as_of
                          AND (r.valid_to IS NULL OR r.valid_to > :as_of)))
ORDER BY r.valid_from DESC, r.seq DESC;

-- name: said
SELECT memory FROM head WHERE digest = :digest AND audience = :audience AND state = 'active' ORDER BY revision LIMIT 20;

-- name: add_assertion
INSERT INTO assertion (wording, audience, subject, relation, object)
VALUES (:wording, :audience, :subject, :relation, :object);

-- name: about
SELECT a.wording FROM assertion a WHERE a.audience = :audience AND a.subject = :subject AND a.relation = :relation
ORDER BY a.wording DESC LIMIT :limit;

-- name: count_active
SELECT count(*) FROM head WHERE audience = :audience AND state = 'active';
