-- name: by_key
SELECT p.slug, p.name, p.created FROM project_key k JOIN project p ON p.slug = k.project WHERE k.key = :key;

-- name: create
INSERT INTO project (slug, name, created) VALUES (:slug, :name, :created) ON CONFLICT DO NOTHING RETURNING slug;

-- name: add_key
INSERT INTO project_key (key, project) VALUES (:key, :project) ON CONFLICT DO NOTHING;

-- name: keys
SELECT key FROM project_key WHERE project = :project ORDER BY key;

-- name: admit
INSERT INTO member (author, project, granted) VALUES (:author, :project, :granted)
ON CONFLICT (author, project) DO UPDATE SET granted = excluded.granted, expelled = 0 WHERE member.expelled = 1;

-- name: expel
UPDATE member SET expelled = 1 WHERE author = :author AND project = :project AND expelled = 0 RETURNING author;

-- name: expelled
SELECT 1 FROM member WHERE author = :author AND project = :project AND expelled = 1;

-- name: members
SELECT author, granted FROM member WHERE project = :project AND expelled = 0 ORDER BY author;

-- name: of
SELECT project FROM member WHERE author = :author AND expelled = 0;

-- name: all
SELECT slug, name, created FROM project ORDER BY slug;

-- name: watermark
SELECT value FROM watermark WHERE project = :project AND name = :name;

-- name: set_watermark
INSERT INTO watermark (project, name, value) VALUES (:project, :name, :value)
ON CONFLICT (project, name) DO UPDATE SET value = excluded.value;
