-- The indexes of the mirror. A rebuild makes them after the rows, which is
-- cheaper than keeping them in order meanwhile.

CREATE UNIQUE INDEX folders_path ON folders(path);
CREATE UNIQUE INDEX files_path ON files(path);
CREATE INDEX files_dir ON files(dir);
CREATE INDEX files_seat ON files(dir) WHERE rank > 0;
CREATE INDEX files_place ON files(place);
CREATE INDEX files_new ON files(n) WHERE head = x'';
CREATE INDEX commits_large ON commits(place) WHERE files > 500;
CREATE INDEX files_drift ON files(n) WHERE hash <> head AND NOT aside AND NOT (disk AND hash = x'');

CREATE UNIQUE INDEX memories_id ON memories(id);
CREATE INDEX memories_claim ON memories(claim) WHERE claim IS NOT NULL;
CREATE INDEX memories_parent ON memories(parent, held, status);
CREATE INDEX memories_depth ON memories(depth);
CREATE INDEX memories_aside ON memories(held, status, deferred) WHERE held <> 2 OR status IN ('closed', 'deferred') OR deferred IS NOT NULL;
CREATE INDEX memories_unfound ON memories(held, status, deferred) WHERE held = 0 OR status IN ('closed', 'deferred') OR deferred IS NOT NULL OR denied_at IS NOT NULL;
CREATE INDEX memories_type ON memories(type, status, parent) WHERE type <> 'memory';
CREATE INDEX memories_spec ON memories(spec) WHERE spec <> '';
CREATE INDEX memories_anchor ON memories(anchor, anchor_key) WHERE anchor <> '';
CREATE INDEX memories_content ON memories(content);
CREATE INDEX memories_doc ON memories(doc);
CREATE INDEX memories_status ON memories(status, deferred) WHERE held = 2;
CREATE INDEX memories_pending ON memories(parent, held, type, status, wants_place, seen, created, deferred, approved_at, denied_at, long_term_at, id) WHERE (type = 'observation' OR wants_place = 'true') AND long_term_at IS NULL;
CREATE INDEX memories_tree ON memories(n) WHERE held = 2;
CREATE INDEX memories_kind ON memories(type) WHERE held = 1;
CREATE INDEX memories_seen ON memories(seen) WHERE seen > 0;
CREATE INDEX memories_phraseless ON memories(n) WHERE held = 2 AND parent IS NOT NULL AND summary = '';
CREATE INDEX memories_denied ON memories(n) WHERE denied_at IS NOT NULL;
CREATE INDEX memories_core ON memories(n) WHERE core_at IS NOT NULL;
CREATE INDEX memories_projects ON memories(n) WHERE project <> '';
CREATE INDEX memories_deferred ON memories(n) WHERE deferred IS NOT NULL;

CREATE INDEX labels_label ON labels(label);
CREATE INDEX pointers_id ON pointers(parent, id);
CREATE INDEX aliases_key ON aliases(key);
CREATE INDEX links_key ON links(key);
CREATE INDEX links_succession ON links(kind, target) WHERE kind IN ('supersedes', 'superseded_by');
CREATE INDEX links_related ON links(n) WHERE kind = 'relates_to';

-- How many memories there are of each type and state, which the line for the start of a
-- session is made from: to count them would read all of them.
INSERT INTO tallies SELECT type, state, count(*) FROM memories GROUP BY 1, 2;
CREATE TRIGGER tallies_in AFTER INSERT ON memories BEGIN
  INSERT INTO tallies VALUES (NEW.type, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER tallies_out AFTER DELETE ON memories BEGIN
  UPDATE tallies SET n = n - 1 WHERE type = OLD.type AND state = OLD.state;
END;
CREATE TRIGGER tallies_changed AFTER UPDATE OF type, held, status, wants_place, long_term_at, approved_at, denied_at ON memories
WHEN OLD.type <> NEW.type OR OLD.state <> NEW.state BEGIN
  UPDATE tallies SET n = n - 1 WHERE type = OLD.type AND state = OLD.state;
  INSERT INTO tallies VALUES (NEW.type, NEW.state, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
