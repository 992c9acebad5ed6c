/** The rows of a seeded database as SQL. The workspace is 1. */
import { searchTermOf } from "#storage/common/engine/search-text.ts";

export const FIRST_NAMES =
  "Ada Grace Linus Alan Barbara Donald Edsger Frances Hedy John Katherine Ken Margaret Radia Élodie Σίσυφος Şule 花子 Joan Niklaus".split(
    " ",
  );
export const LAST_NAMES =
  "Lovelace Hopper Torvalds Turing Liskov Knuth Dijkstra Allen Lamarr McCarthy Johnson Thompson Hamilton Perlman Clarke Wirth Größe O'Brien Núñez 山田 Backus Naur Codd Gray Kay Engelbart Sutherland Cerf Kahn Postel Wozniak Iverson".split(
    " ",
  );
export const EVENT_NAMES =
  "page_viewed link_followed product_viewed cart_filled order_placed order_refunded signed_in signed_out trial_started trial_ended invite_sent survey_answered".split(
    " ",
  );

/** 2026-01-01; each row is a second later. */
const EPOCH = 1_767_225_600_000;

const numbers = (count: number): string =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** A whole number from 0 to `sides` - 1 for the row `i`: random, but the same each time. */
const roll = (salt: number, sides: number): string => `(i * ${salt} % 2147483647 / 64 % ${sides})`;

/** Like our ids: time, then random characters. */
const idOf = (prefix: string): string =>
  `format('${prefix}_%010x%016x', i, (i * 2654435761) % 4294967291 * 65537)`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const tableOf = (name: string, texts: readonly string[]): string =>
  `CREATE TEMP TABLE ${name} (n INTEGER PRIMARY KEY, name TEXT, folded TEXT);
   INSERT INTO ${name} VALUES ${texts.map((text, n) => `(${n}, ${quoted(text)}, ${quoted(searchTermOf(text))})`).join(", ")};`;

export const NAMES_SQL = [
  tableOf("first_names", FIRST_NAMES),
  tableOf("last_names", LAST_NAMES),
  tableOf("event_names", EVENT_NAMES),
].join("\n");

/**
 * Addresses as people have them: some with their name, some without; opted-out and bounced ones are
 * suppressed.
 */
export const contactsSql = (count: number): string => `
  ${numbers(count)},
  person AS (
    SELECT i, f.name AS first, f.folded AS first_folded, l.name AS last, l.folded AS last_folded,
      CASE WHEN s < 3 THEN 'BOUNCED' WHEN s < 8 THEN 'UNSUBSCRIBED' WHEN s < 14 THEN 'PENDING' ELSE 'SUBSCRIBED' END AS status,
      CASE WHEN t = 0 THEN '["reader","customer","vip"]' WHEN t % 10 = 0 THEN '["reader","customer"]'
        WHEN t % 2 = 0 THEN '["reader"]' ELSE '[]' END AS tags,
      iif(i % 3 = 0, 'reader', iif(l.folded GLOB '*[^a-z]*', 'someone', l.folded)) || '.' || (i * 48271 % 2147483647)
        || '@' || iif(i % 2 = 0, 'example.com', 'mail' || ${roll(62_089_911, 40)} || '.example.org') AS email
    FROM (SELECT i, ${roll(742_938_285, 100)} AS s, ${roll(950_706_376, 200)} AS t FROM n)
    CROSS JOIN first_names AS f ON f.n = ${roll(1_226_874_159, FIRST_NAMES.length)}
    CROSS JOIN last_names AS l ON l.n = ${roll(1_343_714_438, LAST_NAMES.length)})
  INSERT INTO contacts (seq, id, workspace, email, first_name, last_name, tags, status, search, created_at)
  SELECT i, ${idOf("ct")}, 1, email, first, last, tags, status, email || char(10) || first_folded || char(10) || last_folded, ${EPOCH} + i * 1000
  FROM person;
  INSERT INTO suppressions (workspace, address, reason, created_at)
  SELECT 1, email, iif(status = 'BOUNCED', 'HARD_BOUNCE', 'UNSUBSCRIBED'), created_at FROM contacts
  WHERE status IN ('BOUNCED', 'UNSUBSCRIBED') ORDER BY email;`;

export const listsSql = (count: number, contacts: number): string => `
  ${numbers(count)} INSERT INTO lists (seq, id, workspace, name, search, created_at)
  SELECT i, ${idOf("list")}, 1, 'Readers of letter ' || i, 'readers of letter ' || i, ${EPOCH} + i * 1000 FROM n;
  INSERT INTO list_members (list, status, contact, added_at)
  SELECT l.seq, c.status, c.seq, c.created_at FROM lists AS l CROSS JOIN contacts AS c
  WHERE l.seq <= 4 AND c.status IN ('PENDING', 'SUBSCRIBED') AND c.seq % CASE l.seq WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 10 ELSE 100 END = 0
  ORDER BY 1, 2, 3;
  INSERT INTO list_members (list, status, contact, added_at)
  SELECT l.seq, c.status, c.seq, c.created_at FROM lists AS l CROSS JOIN (${numbers(100)} SELECT i FROM n) AS n
  CROSS JOIN contacts AS c ON c.seq = 1 + (l.seq * 7907 + n.i * 15485863) % ${contacts}
  WHERE l.seq > 4 AND c.status IN ('PENDING', 'SUBSCRIBED') ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING;`;

/** Of ten campaigns eight are sent, one is scheduled for 2099, one is a draft. */
export const campaignsSql = (count: number, lists: number): string => `
  ${numbers(count)} INSERT INTO mailings (seq, workspace, kind, source_id, phase, list, created_at, started_at, finished_at, planned, sent, accepted, opened, clicked)
  SELECT i, 1, 'campaign', ${idOf("cmp")}, 'finished', 1 + i % ${lists}, ${EPOCH} + i * 1000, ${EPOCH} + i * 1000, ${EPOCH} + i * 2000, i, i, i, i / 3, i / 9
  FROM n WHERE i % 10 > 1;
  ${numbers(count)} INSERT INTO campaigns (seq, id, workspace, name, subject, search, status, list, scheduled_at, next_try_at, sent_at, mailing, created_at)
  SELECT i, ${idOf("cmp")}, 1, 'Letter ' || i, 'News of week ' || (i % 53), 'letter ' || i || char(10) || 'news of week ' || (i % 53),
    CASE i % 10 WHEN 0 THEN 'DRAFT' WHEN 1 THEN 'SCHEDULED' ELSE 'SENT' END, 1 + i % ${lists},
    iif(i % 10 = 1, 4070908800000, NULL), iif(i % 10 = 1, 4070908800000, NULL), iif(i % 10 > 1, ${EPOCH} + i * 2000, NULL), iif(i % 10 > 1, i, NULL), ${EPOCH} + i * 1000
  FROM n;
  INSERT INTO campaign_bodies (campaign, html) SELECT seq, '<p>' || name || '</p>' FROM campaigns;`;

export const eventsSql = (count: number, contacts: number): string => `
  ${numbers(count)},
  happened AS (SELECT i, ${roll(62_089_911, EVENT_NAMES.length ** 2)} AS rolled FROM n)
  INSERT INTO events (seq, id, workspace, name, contact, properties, value_cents, currency, external_id, created_at)
  SELECT i, ${idOf("evt")}, 1, name, 1 + ${roll(742_938_285, contacts)}, '{"plan":"pro","page":"/item/' || (i % 1000) || '"}',
    iif(name GLOB 'order*', i % 50000, NULL), iif(name GLOB 'order*', 'EUR', NULL), iif(i % 5 = 0, 'app-' || i, NULL), ${EPOCH} + i * 1000
  FROM happened CROSS JOIN event_names AS e ON e.n = CAST(sqrt(rolled) AS INTEGER);`;

/** What triggers and the event index would have kept. */
export const DERIVED_SQL = [
  "INSERT INTO contact_tags (workspace, tag, status, contact) SELECT workspace, value, status, seq FROM contacts, json_each(tags) ORDER BY 1, 2, 3, 4",
  "INSERT INTO contact_counts SELECT workspace, '', status, count(*) FROM contacts GROUP BY status",
  "INSERT INTO contact_counts SELECT workspace, tag, status, count(*) FROM contact_tags GROUP BY 1, 2, 3",
  "INSERT INTO contact_search (rowid, search) SELECT seq, search FROM contacts ORDER BY seq",
  "UPDATE search_index SET through = (SELECT coalesce(max(seq), 0) FROM contacts)",
  "INSERT INTO list_counts SELECT list, status, count(*) FROM list_members GROUP BY 1, 2",
  "INSERT INTO record_counts SELECT workspace, 'list', '', count(*) FROM lists GROUP BY 1",
  "INSERT INTO record_counts SELECT workspace, 'campaign', status, count(*) FROM campaigns GROUP BY 1, 3",
  "INSERT INTO record_counts SELECT workspace, 'event', '', count(*) FROM events GROUP BY 1",
  "INSERT INTO record_counts SELECT workspace, 'event', name, count(*) FROM events GROUP BY 1, 3",
  "INSERT INTO workspace_events SELECT workspace, seq FROM events ORDER BY 1, 2",
  "INSERT INTO named_events SELECT workspace, name, seq, contact, created_at, value_cents, properties FROM events ORDER BY 1, 2, 3",
  "INSERT INTO contact_events SELECT contact, seq, name, value_cents FROM events ORDER BY 1, 2",
  "UPDATE event_index SET through = (SELECT coalesce(max(seq), 0) FROM events)",
];
