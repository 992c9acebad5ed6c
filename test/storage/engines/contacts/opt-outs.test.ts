import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { decideOnOptOut } from "#contacts/consent/consent.ts";
import { newList } from "../../../support/people/lists.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const AT = 9;
const ORIGIN = {
  source: "unsubscribe",
  formId: null,
  clientAddress: null,
  userAgent: null,
  reason: null,
} as const;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`opt-outs on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let stores: OpenedEngine["stores"];
    let made = 0;
    /** Where Ada was mailed, and the address that she has now. */
    let old: string;
    let now: string;

    const have = async (id: string, email: string, workspace = 1, status = "SUBSCRIBED"): Promise<void> => {
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         VALUES ('${id}', ${workspace}, '${email}', '', '', '${status}', '', 1)`,
      );
    };
    const optOut = (address: string, contactId: string | null) =>
      stores.contacts.optOut(
        { workspaceId: "ws_one", address, contactId, origin: ORIGIN, at: AT },
        decideOnOptOut,
      );
    const texts = async (sql: string): Promise<string[]> => (await opened.values(sql)).map(String);
    const statusOf = async (id: string): Promise<string | undefined> =>
      (await texts(`SELECT status FROM contacts WHERE id = '${id}'`))[0];
    const suppressed = (): Promise<string[]> =>
      texts(
        `SELECT address || ' ' || reason FROM suppressions WHERE workspace = 1 AND address IN ('${old}', '${now}') ORDER BY address`,
      );
    const logged = (): Promise<string[]> =>
      texts(
        `SELECT action || ' ' || address || ' ' || contact_id FROM consent_log WHERE address IN ('${old}', '${now}') ORDER BY seq`,
      );

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ stores } = opened);
      await stores.lists.insert("ws_one", newList("list_1"));
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      made++;
      [old, now] = [`a-old${made}@example.com`, `b-now${made}@example.com`];
    });

    test("of somebody who has another address now, who is out with both, and on no list", async () => {
      await have(`ada${made}`, now);
      await opened.run(
        `INSERT INTO list_members (list, status, contact, added_at)
         SELECT l.seq, 'SUBSCRIBED', c.seq, 1 FROM lists AS l CROSS JOIN contacts AS c WHERE c.id = 'ada${made}'`,
      );
      expect(await optOut(old, `ada${made}`)).toBe(true);
      expect(await statusOf(`ada${made}`)).toBe("UNSUBSCRIBED");
      expect(await suppressed()).toEqual([`${old} UNSUBSCRIBED`, `${now} UNSUBSCRIBED`]);
      expect(await logged()).toEqual([`WITHDRAWN ${old} ada${made}`]);
      const page = await stores.lists.contacts(
        "ws_one",
        "list_1",
        { status: null, q: null },
        { limit: 9, before: null },
      );
      expect(page?.items).toEqual([]);
    });

    test("puts out who was mailed and who has the mailed address now, and nobody of another workspace", async () => {
      await have(`ada${made}`, now);
      await have(`grace${made}`, old);
      await have(`theirs${made}`, old, 2);
      expect(await optOut(old, `ada${made}`)).toBe(true);
      expect(await statusOf(`ada${made}`)).toBe("UNSUBSCRIBED");
      expect(await statusOf(`grace${made}`)).toBe("UNSUBSCRIBED");
      expect(await statusOf(`theirs${made}`)).toBe("SUBSCRIBED");
      expect((await logged()).toSorted()).toEqual([
        `WITHDRAWN ${old} ada${made}`,
        `WITHDRAWN ${old} grace${made}`,
      ]);
      expect(await texts(`SELECT count(*) FROM suppressions WHERE workspace = 2`)).toEqual(["0"]);
    });

    test("of an address without a contact suppresses it, and is logged once", async () => {
      expect(await optOut(old, `gone${made}`)).toBe(true);
      expect(await optOut(old, `gone${made}`)).toBe(false);
      expect(await suppressed()).toEqual([`${old} UNSUBSCRIBED`]);
      expect(await logged()).toEqual([`WITHDRAWN ${old} gone${made}`]);
    });

    test.each(["the mailed one", "their own"])(
      "of somebody who is out already suppresses both addresses again, also if only %s is left, and is not logged again",
      async (which) => {
        await have(`ada${made}`, now);
        expect(await optOut(old, `ada${made}`)).toBe(true);
        await stores.suppressions.remove("ws_one", which === "their own" ? old : now);
        expect(await optOut(old, `ada${made}`)).toBe(false);
        expect(await suppressed()).toEqual([`${old} UNSUBSCRIBED`, `${now} UNSUBSCRIBED`]);
        expect(await logged()).toEqual([`WITHDRAWN ${old} ada${made}`]);
      },
    );

    test("leaves a stronger reason as it is, and its source", async () => {
      await have(`ada${made}`, now);
      const entry = { email: now, reason: "COMPLAINT", source: "complaint", createdAt: 1 } as const;
      await stores.suppressions.add("ws_one", entry, (_, asked) => asked);
      await optOut(now, `ada${made}`);
      expect(await suppressed()).toEqual([`${now} COMPLAINT`]);
      expect(await texts(`SELECT source FROM suppressions WHERE address = '${now}'`)).toEqual(["complaint"]);
    });
  });
}
