/**
 * What segments ask for besides contacts and events, as SQL over a seeded database (`seed-sql.ts`). The workspace
 * is 1.
 */

/** 2026-01-01, as in `seed-sql.ts`. */
const EPOCH = 1_767_225_600_000;

/**
 * Ten attributes for nine contacts of ten: texts, numbers, a boolean, a date, a list; some texts that only
 * Unicode folds.
 */
export const ATTRIBUTES_SQL = [
  `INSERT INTO contact_attributes (contact, workspace, attributes, folded)
   SELECT seq, 1, jsonb_object(
     'plan', CASE seq % 4 WHEN 0 THEN 'Pro' WHEN 1 THEN 'Team' ELSE 'Free' END,
     'city', CASE seq % 50 WHEN 0 THEN 'Zürich' WHEN 1 THEN 'Łódź' ELSE 'Town ' || (seq % 997) END,
     'company', 'Company ' || (seq % 20011), 'language', iif(seq % 3 = 0, 'de', 'en'), 'source', 'landing-' || (seq % 31),
     'orders', seq % 40, 'spent', (seq % 9973) / 7.0, 'beta', jsonb(iif(seq % 5 = 0, 'true', 'false')),
     'renewal', date(${EPOCH / 1000} + (seq % 700) * 86400, 'unixepoch'),
     'interests', jsonb_array('Books', iif(seq % 6 = 0, 'Music', 'Film'), 'topic ' || (seq % 100))),
     CASE seq % 50 WHEN 0 THEN jsonb_object('city', 'zürich') WHEN 1 THEN jsonb_object('city', 'łódź') END
   FROM contacts WHERE seq % 10 <> 9 ORDER BY seq`,
  `INSERT INTO attribute_counts (workspace, name, type, n)
   SELECT 1, key, CASE type WHEN 'text' THEN 'string' WHEN 'array' THEN 'list' WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE 'number' END,
     (SELECT count(*) FROM contact_attributes)
   FROM json_each((SELECT json(attributes) FROM contact_attributes ORDER BY contact LIMIT 1))`,
];

/** The results of the last two campaigns, which were sent to everybody who may be mailed. */
export const deliveriesSql = (campaign: number): string => `
  INSERT INTO deliveries (mailing, contact, address, state, attempts, settled_at, opened_at, clicked_at)
  SELECT (SELECT mailing FROM campaigns WHERE seq = ${campaign}), seq, email, iif(seq % 97 = 0, 'bounced', 'sent'), 1,
    ${EPOCH} + seq * 50, iif(seq % 3 = 0, ${EPOCH} + seq * 60, NULL), iif(seq % 11 = 0, ${EPOCH} + seq * 70, NULL)
  FROM contacts WHERE status = 'SUBSCRIBED' ORDER BY email;
  UPDATE mailings SET planned = (SELECT count(*) FROM deliveries AS d WHERE d.mailing = mailings.seq)
  WHERE seq = (SELECT mailing FROM campaigns WHERE seq = ${campaign})`;

export const SCORING_SQL = [
  "INSERT INTO scoring_rules (id, workspace, event, min_value_cents, points, created_at) VALUES ('sr_1', 1, 'order_placed', NULL, 10, 0)",
  "INSERT INTO scoring_rules (id, workspace, event, min_value_cents, points, created_at) VALUES ('sr_2', 1, 'order_placed', 25000, 20, 0)",
  "INSERT INTO scoring_rules (id, workspace, event, min_value_cents, points, created_at) VALUES ('sr_3', 1, 'cart_filled', NULL, 2, 0)",
];
