-- What a key may ask: everything, sending only, reading only. Keys from before may ask everything, as they could.
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('full', 'send', 'read'));
