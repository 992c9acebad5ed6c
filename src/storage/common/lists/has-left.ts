/**
 * SQL of both engines: whether the contact `c` left the list `l` by themselves, that is, whether the latest entry
 * of the consent log about that list is their withdrawal. They come back by their own choice, or where they are named,
 * never with many others (docs/decisions.md "Lists"). The log of somebody who is on the list is not read: it may be
 * long, and it says nothing.
 */
export const HAS_LEFT = `CASE WHEN (SELECT m.list FROM list_members AS m WHERE m.contact = c.seq AND m.list = l.seq) IS NULL
  THEN coalesce((SELECT g.action FROM consent_log AS g WHERE g.contact_id = c.id AND g.list_id = l.id
    ORDER BY g.seq DESC LIMIT 1) = 'WITHDRAWN', false)
  ELSE false END`;
