-- name: read
INSERT INTO access (memory, actor, day, count, last) VALUES (:memory, :actor, :day, 1, :at)
ON CONFLICT (memory, actor, day) DO UPDATE SET count = access.count + 1, last = max(access.last, excluded.last);

-- name: reads
SELECT coalesce(sum(count), 0) FROM access WHERE memory = :memory;

-- name: last
SELECT coalesce(max(last), 0) FROM access WHERE memory = :memory;
