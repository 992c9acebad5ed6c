-- What became of an automation's runs at each node; who waits there now is entered - completed - failed - removed. Counted by the
-- engine in the transaction that moves a run (storage/sqlite/automations/node-counts.ts); `removed`: gone with their contact.
CREATE TABLE automation_nodes (
  automation INTEGER NOT NULL,
  node TEXT NOT NULL,
  entered INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  PRIMARY KEY (automation, node)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Of runs before this version only the node is known at which they stand or ended.
INSERT INTO automation_nodes
SELECT automation, node, count(*), sum(status = 'COMPLETED'), sum(status = 'FAILED'), 0 FROM enrollments GROUP BY automation, node;
--> statement-breakpoint
CREATE TRIGGER enrollments_deleted_at_node AFTER DELETE ON enrollments WHEN old.status = 'ACTIVE' BEGIN
  UPDATE automation_nodes SET removed = removed + 1 WHERE automation = old.automation AND node = old.node;
END;
