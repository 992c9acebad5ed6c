import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { planPost } from "#contacts/contact-plan.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { contactStore } from "#storage/postgres/contacts/contact-store.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

const ORIGIN = { source: "api", formId: null, clientAddress: null, userAgent: null } as const;
const INPUT = {
  firstName: undefined,
  lastName: undefined,
  tags: [],
  status: undefined,
  consent: undefined,
  attributes: undefined,
};

describe.skipIf(await lacksPostgres())("requests to PostgreSQL at the same time", () => {
  let made: TestDatabase;
  let database: PostgresDatabase;

  beforeAll(async () => {
    made = await migratedDatabase();
    database = await openPostgres(made.url, { clock: systemClock, random: systemRandom });
    await database.write((tx) =>
      tx.run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1), ('ws_two', 1)"),
    );
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  test("contacts of a workspace share a transaction", async () => {
    const contacts = contactStore(database);
    const post = (workspaceId: string, n: number) => {
      const input = { ...INPUT, email: `together${n}@example.com` };
      const fresh = { id: `${workspaceId}_${n}`, createdAt: 1 };
      return contacts.upsert(workspaceId, { email: input.email, fresh, setsAttributes: false }, (found) =>
        planPost(found, input, ORIGIN, 1),
      );
    };
    // Afterwards the numbers of the workspaces are known, and nobody waits for them.
    await Promise.all([post("ws_one", 0), post("ws_two", 0)]);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => [post("ws_one", n + 1), post("ws_two", n + 1)]).flat(),
    );
    const written = await database.read(({ rows }) =>
      rows<{ contacts: number; transactions: number }>(
        "SELECT count(*) AS contacts, count(DISTINCT xmin::text) AS transactions FROM contacts WHERE email <> 'together0@example.com' GROUP BY workspace",
      ),
    );
    expect(written).toEqual([
      { contacts: 20, transactions: 1 },
      { contacts: 20, transactions: 1 },
    ]);
  });
});
