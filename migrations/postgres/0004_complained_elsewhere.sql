-- Of `complained`: complaints that somebody entered about addresses that the workspace never mailed, such as those carried over
-- from another service. They say nothing about the workspace's mail. Not counted of what was entered before this version.
-- Nodes of the version before do not count it, and drop it where they fold: then such a complaint counts as before.
ALTER TABLE activity_counts ADD COLUMN complained_elsewhere int8 NOT NULL DEFAULT 0;
