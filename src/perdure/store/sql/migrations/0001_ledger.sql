-- The ledger: identities, immutable revisions, and what is derived from them in the same transaction.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memory (
    id      TEXT PRIMARY KEY,
    kind    TEXT NOT NULL,
    author  TEXT NOT NULL CHECK (author <> ''),
    scope   TEXT NOT NULL CHECK (scope IN ('private', 'project')),
    project TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    CHECK (scope = 'private' OR project <> '')
) STRICT, WITHOUT ROWID;

-- People name a memory by the start of its id's random last group.
CREATE INDEX memory_handle ON memory (substr(id, 25));

CREATE TABLE revision (
    seq         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    memory      TEXT NOT NULL REFERENCES memory (id),
    parent      TEXT NOT NULL DEFAULT '',
    title       TEXT NOT NULL DEFAULT '',
    body        TEXT NOT NULL,
    tags        TEXT NOT NULL DEFAULT '[]',
    attrs       TEXT NOT NULL DEFAULT '{}',
    type        TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('active', 'superseded', 'retracted', 'expired')),
    valid_from  INTEGER NOT NULL,
    valid_to    INTEGER,
    expires     INTEGER,
    importance  REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    confidence  REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    pinned      INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    recorded_at INTEGER NOT NULL,
    recorded_by TEXT NOT NULL CHECK (recorded_by <> ''),
    cause       TEXT NOT NULL,
    digest      TEXT NOT NULL,
    wording     INTEGER NOT NULL,
    change      INTEGER NOT NULL
) STRICT;

CREATE INDEX revision_memory ON revision (memory, seq);
CREATE INDEX revision_change ON revision (change);

CREATE TRIGGER revision_is_never_updated BEFORE UPDATE ON revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never updated');
END;

CREATE TRIGGER revision_is_never_deleted BEFORE DELETE ON revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never deleted');
END;

CREATE TABLE source (
    revision INTEGER NOT NULL REFERENCES revision (seq),
    channel  TEXT NOT NULL,
    trust    TEXT NOT NULL,
    session  TEXT NOT NULL DEFAULT '',
    excerpt  TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (revision, channel, session)
) STRICT, WITHOUT ROWID;

-- The latest revision of each memory, with all that a listing filters by.
CREATE TABLE head (
    memory     TEXT PRIMARY KEY REFERENCES memory (id),
    revision   INTEGER NOT NULL REFERENCES revision (seq),
    wording    INTEGER NOT NULL,
    audience   TEXT NOT NULL,
    kind       TEXT NOT NULL,
    type       TEXT NOT NULL,
    state      TEXT NOT NULL,
    live       INTEGER NOT NULL,
    trust      INTEGER NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to   INTEGER,
    expires    INTEGER,
    importance REAL NOT NULL,
    pinned     INTEGER NOT NULL,
    digest     TEXT -- of kinds that say a thing once only
) STRICT, WITHOUT ROWID;

CREATE INDEX head_kind ON head (audience, kind, valid_from);
CREATE INDEX head_preference ON head (audience, valid_from) WHERE type = 'preference';
CREATE INDEX head_digest ON head (digest) WHERE digest IS NOT NULL;
CREATE INDEX head_pinned ON head (audience) WHERE pinned = 1;

-- What words say of whom, by rule: how a statement finds those that it corrects.
CREATE TABLE assertion (
    wording  INTEGER PRIMARY KEY REFERENCES revision (seq),
    audience TEXT NOT NULL,
    subject  TEXT NOT NULL,
    relation TEXT NOT NULL,
    object   TEXT NOT NULL
) STRICT;

CREATE INDEX assertion_about ON assertion (audience, subject, relation, wording);

CREATE TABLE link (
    src  TEXT NOT NULL REFERENCES memory (id),
    dst  TEXT NOT NULL REFERENCES memory (id),
    kind TEXT NOT NULL,
    PRIMARY KEY (src, dst, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_back ON link (dst);

CREATE TABLE project (
    slug    TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE project_key (
    key     TEXT PRIMARY KEY,
    project TEXT NOT NULL REFERENCES project (slug)
) STRICT, WITHOUT ROWID;

CREATE TABLE watermark (
    project TEXT NOT NULL REFERENCES project (slug),
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (project, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE member (
    author   TEXT NOT NULL,
    project  TEXT NOT NULL REFERENCES project (slug),
    granted  INTEGER NOT NULL,
    expelled INTEGER NOT NULL DEFAULT 0 CHECK (expelled IN (0, 1)),
    PRIMARY KEY (author, project)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    id         TEXT PRIMARY KEY,
    host       TEXT NOT NULL,
    ref        TEXT NOT NULL,
    transcript TEXT NOT NULL DEFAULT '',
    cwd        TEXT NOT NULL DEFAULT '',
    parent     TEXT NOT NULL DEFAULT '',
    project    TEXT NOT NULL DEFAULT '',
    author     TEXT NOT NULL,
    position   INTEGER NOT NULL DEFAULT 0,
    size       INTEGER NOT NULL DEFAULT 0,
    started    INTEGER,
    ended      INTEGER,
    UNIQUE (host, ref)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_unread ON session (host) WHERE size > position;
CREATE INDEX session_recent ON session (project, started);

CREATE TABLE turn (
    seq      INTEGER PRIMARY KEY,
    session  TEXT NOT NULL REFERENCES session (id),
    uuid     TEXT NOT NULL,
    role     TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    at       INTEGER NOT NULL,
    position INTEGER NOT NULL,
    text     TEXT NOT NULL,
    attrs    TEXT NOT NULL DEFAULT '{}',
    UNIQUE (session, uuid)
) STRICT;

CREATE INDEX turn_session ON turn (session, position);

CREATE TABLE injection (
    session TEXT NOT NULL,
    memory  TEXT NOT NULL,
    via     TEXT NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (session, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE defect (
    path     TEXT NOT NULL,
    position INTEGER NOT NULL,
    reason   TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (path, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
    id       INTEGER PRIMARY KEY,
    kind     TEXT NOT NULL,
    key      TEXT NOT NULL,
    payload  TEXT NOT NULL DEFAULT '',
    state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'done')),
    due      INTEGER NOT NULL,
    lease    INTEGER NOT NULL DEFAULT 0,
    worker   TEXT NOT NULL DEFAULT '',
    token    TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    error    TEXT NOT NULL DEFAULT '',
    UNIQUE (kind, key)
) STRICT;

CREATE INDEX job_due ON job (kind, due) WHERE state <> 'done';

CREATE TABLE proposal (
    id         TEXT PRIMARY KEY,
    author     TEXT NOT NULL CHECK (author <> ''),
    action     TEXT NOT NULL,
    members    TEXT NOT NULL,
    draft      TEXT NOT NULL DEFAULT '{}',
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    reason     TEXT NOT NULL,
    created    INTEGER NOT NULL,
    standing   TEXT NOT NULL DEFAULT 'pending' CHECK (standing IN ('pending', 'approved', 'rejected', 'stale')),
    note       TEXT NOT NULL DEFAULT '',
    resolved   INTEGER,
    change     INTEGER,
    UNIQUE (author, action, members)
) STRICT, WITHOUT ROWID;

CREATE INDEX proposal_pending ON proposal (author, confidence) WHERE standing = 'pending';

CREATE TABLE work_order (
    id       INTEGER PRIMARY KEY,
    author   TEXT NOT NULL CHECK (author <> ''),
    kind     TEXT NOT NULL,
    about    TEXT NOT NULL,
    role     TEXT NOT NULL,
    project  TEXT NOT NULL DEFAULT '',
    subject  TEXT NOT NULL DEFAULT '{}',
    created  INTEGER NOT NULL,
    state    TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'leased', 'done', 'refused')),
    due      INTEGER NOT NULL,
    lease    INTEGER NOT NULL DEFAULT 0,
    token    TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    cut      TEXT NOT NULL DEFAULT '',
    answer   TEXT NOT NULL DEFAULT '',
    reason   TEXT NOT NULL DEFAULT '',
    served   TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE UNIQUE INDEX work_order_open ON work_order (author, kind, about) WHERE state IN ('waiting', 'leased');
CREATE INDEX work_order_about ON work_order (author, kind, about, id);
CREATE INDEX work_order_due ON work_order (author, due) WHERE state IN ('waiting', 'leased');

CREATE TABLE spend (
    author TEXT NOT NULL,
    day    TEXT NOT NULL,
    role   TEXT NOT NULL,
    calls  INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (author, day, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE access (
    memory TEXT NOT NULL REFERENCES memory (id),
    actor  TEXT NOT NULL,
    day    TEXT NOT NULL,
    count  INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    PRIMARY KEY (memory, actor, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    change  INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    author  TEXT NOT NULL CHECK (author <> ''),
    action  TEXT NOT NULL,
    memory  TEXT NOT NULL,
    channel TEXT NOT NULL,
    detail  TEXT NOT NULL DEFAULT '',
    undone  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE idempotency (
    key      TEXT PRIMARY KEY,
    change   INTEGER NOT NULL,
    memory   TEXT NOT NULL,
    revision TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE blob (
    digest TEXT PRIMARY KEY,
    bytes  BLOB NOT NULL
) STRICT, WITHOUT ROWID;
