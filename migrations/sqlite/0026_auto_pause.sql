-- 1: the campaign has paused itself, which it does once. Who resumed it has looked at it.
ALTER TABLE campaigns ADD COLUMN auto_paused INTEGER NOT NULL DEFAULT 0;
