-- name: latest_of_wordings
SELECT {entry} FROM json_each(:seqs) asked
CROSS JOIN revision w ON w.seq = asked.value
CROSS JOIN head h ON h.memory = w.memory AND h.wording = w.seq
CROSS JOIN revision r ON r.seq = h.revision
CROSS JOIN memory m ON m.id = h.memory
CROSS JOIN source s ON s.revision = r.seq;
