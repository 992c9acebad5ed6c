import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

/** One person with everything that can happen, twice at one instant too; and one with nothing. */
const WORLD = [
  `INSERT INTO contacts (seq, id, workspace, email, first_name, last_name, status, search, created_at) VALUES
     (1, 'con_1', 1, 'ada@example.com', 'Ada', '', 'SUBSCRIBED', '', 1),
     (2, 'con_2', 1, 'bob@blocked.example', '', '', 'PENDING', '', 1)`,
  `INSERT INTO lists (seq, id, workspace, name, search, created_at) VALUES
     (1, 'list_1', 1, 'News', '', 1), (2, 'list_2', 1, 'Offers', '', 1)`,
  "INSERT INTO list_members (list, contact, status, added_at) VALUES (1, 1, 'SUBSCRIBED', 20)",
  "INSERT INTO list_departures (seq, contact, list, joined_at, left_at) VALUES (1, 1, 2, 5, 20)",
  `INSERT INTO consent_log (seq, workspace, contact_id, address, action, source, at, form_id, user_agent, reason, list_id) VALUES
     (1, 1, 'con_1', 'ada@example.com', 'GIVEN', 'form', 20, 'form_1', 'x', NULL, NULL),
     (2, 1, 'con_1', 'old@example.com', 'WITHDRAWN', 'unsubscribe', 10, NULL, NULL, 'why', NULL),
     (3, 1, 'con_1', 'ada@example.com', 'GIVEN', 'preferences', 21, NULL, NULL, NULL, 'list_1'),
     (4, 1, 'con_2', 'bob@blocked.example', 'GIVEN', 'api', 3, NULL, NULL, NULL, NULL)`,
  "INSERT INTO suppressions (workspace, address, reason, source, created_at) VALUES (1, 'ada@example.com', 'MANUAL', 'admin', 20)",
  "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'blocked.example', 7)",
  `INSERT INTO campaigns (id, workspace, name, subject, search, status, created_at) VALUES ('cmp_1', 1, 'Spring', '', '', 'SENT', 1)`,
  `INSERT INTO automations (seq, id, workspace, name, status, created_at, updated_at) VALUES
     (1, 'aut_1', 1, 'Welcome', 'LIVE', 1, 1), (2, 'aut_2', 1, 'Gone', 'DELETED', 1, 1)`,
  `INSERT INTO forms (id, workspace, name, fields, style, success_message, created_at, updated_at) VALUES ('form_1', 1, 'Sign up', '[]', '{}', '', 1, 1)`,
  `INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at, started_at) VALUES
     (1, 1, 'campaign', 'cmp_1', 'finished', 1, 30), (2, 1, 'campaign', 'cmp_none', 'planning', 1, NULL),
     (3, 1, 'automation', 'aut_1:n', 'sending', 1, 1), (4, 1, 'automation', 'aut_2:n', 'sending', 1, 1),
     (5, 1, 'transactional', 'snd_1', 'finished', 1, 1), (6, 1, 'confirmation', 'c', 'finished', 1, 1)`,
  "INSERT INTO automation_mailings (mailing, automation, node) VALUES (3, 1, 'n'), (4, 2, 'n')",
  `INSERT INTO deliveries (seq, mailing, contact, address, visit, state, reason, settled_at, opened_at, clicked_at, bounced_at, reply_code, reply_text) VALUES
     (1, 1, 1, 'ada@example.com', 0, 'sent', NULL, 31, 40, 41, NULL, 250, 'ok'),
     (2, 1, 1, 'old@example.com', 0, 'skipped', 'SUPPRESSED', NULL, NULL, NULL, NULL, NULL, NULL),
     (3, 2, 1, 'ada@example.com', 0, 'skipped', 'SUPPRESSED', NULL, NULL, NULL, NULL, NULL, NULL),
     (4, 3, 1, 'ada@example.com', 0, 'bounced', 'SMTP_REFUSED', 33, NULL, NULL, NULL, 550, NULL),
     (5, 4, 1, 'ada@example.com', 0, 'bounced', NULL, 33, NULL, NULL, 50, NULL, NULL),
     (6, 5, 1, 'ada@example.com', 0, 'failed', 'EXPIRED', 34, NULL, NULL, NULL, NULL, NULL),
     (7, 6, 1, 'ada@example.com', 0, 'uncertain', NULL, 34, NULL, NULL, NULL, NULL, NULL),
     (8, 5, 1, 'ada@example.com', 1, 'queued', NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
  "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at) VALUES (7, 1, 'form_1', 'ada@example.com', 1)",
  `INSERT INTO bounce_reports (workspace, delivery, contact, address, kind, reason, status, words, way, at) VALUES
     (1, 5, 1, 'ada@example.com', 'hard', 'unknown', '5.1.1', 'no such user', 'smtp', 50)`,
  `INSERT INTO enrollments (seq, id, automation, contact, depth, status, node, next_run_at, enrolled_at, completed_at, error_message) VALUES
     (1, 'enr_1', 1, 1, 0, 'FAILED', 'n', 1, 20, 60, 'broke'), (2, 'enr_2', 2, 1, 0, 'COMPLETED', 'n', 1, 20, 60, NULL),
     (3, 'enr_3', 1, 1, 0, 'ACTIVE', 'n', 1, 61, NULL, NULL)`,
  ...[20, 20, 45, 70].map(
    (at, n) => `INSERT INTO events (seq, id, workspace, name, contact, properties, value_cents, created_at)
      VALUES (${n + 1}, 'evt_${n}', 1, 'seen', 1, '{"n":${n}}', ${n === 0 ? "NULL" : n}, ${at})`,
  ),
];

describe.skipIf(ENGINES.some(({ isMissing }) => isMissing))("people on every engine", () => {
  let opened: OpenedEngine[];

  beforeAll(async () => {
    opened = await Promise.all(ENGINES.map((engine) => openWithWorkspaces(engine)));
    for (const { run } of opened) for (const statement of WORLD) await run(statement);
  });
  afterAll(() => Promise.all(opened.map((engine) => engine.close())));

  /** The pages of a timeline, one after the other. */
  const pagesOf = async ({ stores }: OpenedEngine, id: string, limit: number) => {
    const pages = [];
    for (let before: readonly number[] | null = null; ;) {
      const page = await stores.timeline.page("ws_one", id, { limit, before });
      pages.push(page);
      before = page?.nextPosition ?? null;
      if (before === null) return pages;
    }
  };

  test.each([1, 3, 100])("a timeline has the same pages of %i", async (limit) => {
    for (const id of ["con_1", "con_2", "con_none"]) {
      const [pages, ...others] = await Promise.all(opened.map((engine) => pagesOf(engine, id, limit)));
      for (const other of others) expect([id, other]).toEqual([id, pages!]);
    }
  });

  test("a timeline holds everything once", async () => {
    for (const engine of opened) {
      const pages = await pagesOf(engine, "con_1", 4);
      const ids = pages.flatMap((page) => page!.items.map(({ id }) => id));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(pages[0]!.total);
      expect(ids.length).toBe(23);
      expect(ids.slice(0, 3)).toEqual(["evt_3", "entered_3", "ended_1"]);
    }
  });

  test("what decides whether somebody is mailed is the same", async () => {
    for (const id of ["con_1", "con_2", "con_none"]) {
      const [standing, ...others] = await Promise.all(
        opened.map(({ stores }) => stores.timeline.standing("ws_one", id)),
      );
      for (const other of others) expect([id, other]).toEqual([id, standing!]);
    }
    for (const { stores } of opened) {
      expect(await stores.timeline.standing("ws_one", "con_1")).toMatchObject({
        suppression: { reason: "MANUAL", createdAt: 20 },
        domainBlockedAt: null,
        consents: [{ at: 20 }, { at: 10 }],
      });
      expect(await stores.timeline.standing("ws_one", "con_2")).toMatchObject({ domainBlockedAt: 7 });
      expect(await stores.timeline.standing("ws_two", "con_1")).toBeNull();
    }
  });
});
