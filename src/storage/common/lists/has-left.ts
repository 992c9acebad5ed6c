/**
 * The number of the departure that is the leaving of entry `g`: both are written with one time. 0: there is none. `+`: a
 * person has few departures, and a list may have a million. SQLite would look through those of the list.
 */
const OWN_LEAVING = `coalesce((SELECT max(w.seq) FROM list_departures AS w
  WHERE w.contact = c.seq AND +w.list = l.seq AND w.left_at = g.at), 0)`;

/**
 * The number of the latest entry of the consent log about `l`: the contact's own, else that of somebody deleted who had
 * their address. The log outlives a contact, so whoever is made again has still left. Who has another address by now
 * speaks for themselves only.
 */
const LATEST_ENTRY = `coalesce(
    (SELECT o.seq FROM consent_log AS o WHERE o.contact_id = c.id AND o.list_id = l.id ORDER BY o.seq DESC LIMIT 1),
    (SELECT o.seq FROM consent_log AS o WHERE o.workspace = c.workspace AND o.address = c.email AND o.list_id = l.id
      AND NOT EXISTS (SELECT 1 FROM contacts AS p WHERE p.id = o.contact_id) ORDER BY o.seq DESC LIMIT 1))`;

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
    FROM consent_log AS g WHERE g.seq = ${LATEST_ENTRY}), false)
  ELSE false END`;
