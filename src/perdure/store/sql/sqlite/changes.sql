-- name: made
SELECT i.key, i.change, i.memory, i.revision FROM json_each(:keys) asked
JOIN idempotency i ON i.key = asked.value;
