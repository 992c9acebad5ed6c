-- The parts of the index that a search asks are not merged any more inside the writes that change it: at a million contacts a single
-- change of a name took 100 ms. The server merges them in short writes of its own (search/search-merges.ts).
INSERT INTO contact_search (contact_search, rank) VALUES ('automerge', 0);
