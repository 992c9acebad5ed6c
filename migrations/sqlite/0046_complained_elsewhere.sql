-- Of `complained`: complaints that somebody entered about addresses that the workspace never mailed, such as those carried over
-- from another service. They say nothing about the workspace's mail. Not counted of what was entered before this version.
ALTER TABLE activity_counts ADD COLUMN complained_elsewhere INTEGER NOT NULL DEFAULT 0;
