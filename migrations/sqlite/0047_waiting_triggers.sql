-- Triggers that more automations wait for than one write may start: one row each, until every automation has its start. `through`: the
-- last automation that has it.
CREATE TABLE automation_triggers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL,
  contact INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  event INTEGER,
  depth INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  through INTEGER NOT NULL DEFAULT 0
) STRICT;
--> statement-breakpoint
CREATE INDEX automation_triggers_by_workspace ON automation_triggers (workspace, seq);
--> statement-breakpoint
CREATE INDEX automation_triggers_by_contact ON automation_triggers (contact);
--> statement-breakpoint
-- Who becomes LIVE starts with the triggers after this one: those before it may still be waiting.
ALTER TABLE automation_listeners ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- What automations waited for before they changed: they still start with triggers from after `since` up to `until`.
CREATE TABLE automation_past_listeners (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace INTEGER NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT NOT NULL,
  automation INTEGER NOT NULL REFERENCES automations (seq) ON DELETE CASCADE,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX automation_past_listeners_by_trigger ON automation_past_listeners (workspace, kind, detail, automation);
--> statement-breakpoint
CREATE INDEX automation_past_listeners_by_automation ON automation_past_listeners (automation);
--> statement-breakpoint
CREATE INDEX automation_past_listeners_by_end ON automation_past_listeners (until);
--> statement-breakpoint
-- A contact may have very many starts: those that stay, and those that automations caused, are found without reading the others.
CREATE INDEX automation_starts_staying ON automation_starts (contact, automation, seq)
  WHERE next_try_at > created_at AND problem IS NULL;
--> statement-breakpoint
CREATE INDEX automation_starts_caused ON automation_starts (contact, automation, seq) WHERE depth > 0;
