/**
 * The number of the departure that is the leaving of entry `g`: both are written with one time. 0: there is none. `+`: a
 * person has few departures, and a list may have a million. SQLite would look through those of the list.
 */
const OWN_LEAVING = `coalesce((SELECT max(w.seq) FROM list_departures AS w
  WHERE w.contact = c.seq AND +w.list = l.seq AND w.left_at = g.at), 0)`;

/**
 * SQL of both engines: whether the contact `c` left the list `l` by themselves. They did if the latest entry of the
 * consent log about that list is their withdrawal, and they have not been on it since. They come back by their own
 * choice, or where they are named, never with many others (docs/decisions.md "Lists"). The log of somebody who is
 * on the list is not read: it may be long, and it says nothing.
 *
 * A clock may have been set back. So only a departure that was written after their leaving counts, and both its times
 * are asked for: when they joined may lie after their leaving, and so may an earlier removal. In doubt they left.
 */
export const HAS_LEFT = `CASE WHEN (SELECT m.list FROM list_members AS m WHERE m.contact = c.seq AND m.list = l.seq) IS NULL
  THEN coalesce((SELECT g.action = 'WITHDRAWN' AND NOT EXISTS (SELECT 1 FROM list_departures AS d
      WHERE d.contact = c.seq AND +d.list = l.seq AND d.seq > ${OWN_LEAVING} AND d.joined_at > g.at AND d.left_at > g.at)
    FROM consent_log AS g WHERE g.contact_id = c.id AND g.list_id = l.id ORDER BY g.seq DESC LIMIT 1), false)
  ELSE false END`;
