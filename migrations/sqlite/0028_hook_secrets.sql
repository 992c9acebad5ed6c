-- Workspaces that are there get the secret by which mail providers report to them. New ones are made with theirs.
INSERT INTO settings (workspace, key, value)
SELECT seq, 'hookSecret', lower(hex(randomblob(24))) FROM workspaces WHERE true
ON CONFLICT (workspace, key) DO NOTHING;
