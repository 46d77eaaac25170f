-- name: by_key
SELECT p.slug, p.name, p.created FROM project_key k JOIN project p ON p.slug = k.project WHERE k.key = :key;

-- name: create
INSERT INTO project (slug, name, created) VALUES (:slug, :name, :created) ON CONFLICT DO NOTHING RETURNING slug;

-- name: add_key
INSERT INTO project_key (key, project) VALUES (:key, :project) ON CONFLICT DO NOTHING;

-- name: keys
SELECT key FROM project_key WHERE project = :project ORDER BY key;

-- name: admit
INSERT INTO member (author, project, granted) VALUES (:author, :project, :granted) ON CONFLICT DO NOTHING;

-- name: of
SELECT project FROM member WHERE author = :author;

-- name: all
SELECT slug, name, created FROM project ORDER BY slug;

-- name: watermark
SELECT value FROM watermark WHERE project = :project AND name = :name;

-- name: set_watermark
INSERT INTO watermark (project, name, value) VALUES (:project, :name, :value)
ON CONFLICT (project, name) DO UPDATE SET value = excluded.value;
