/**
 * What webhooks are told is written with its cause: no write may get so long by it that others wait. Counted, not timed.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { needsSqlite, rowsFrom } from "../../support/server/services.ts";
import { longestWrite } from "../../support/storage/longest-write.ts";
import { imported } from "../../support/people/imports.ts";

/** The most that a workspace may have. */
const WEBHOOKS = 50;
const PEOPLE = 120;
/** Changes of rows, those of triggers too. A write of 20,000 took a quarter of a second. */
const ROWS_MAX = 4_000;

const lacksSqlite = needsSqlite("only with it a write holds up the server");

let api: TestApi;
/** One whose webhooks are told only of changes. */
let changesApi: TestApi;
let longest: { rows: number };
let longestChange: { rows: number };

beforeAll(async () => {
  if (lacksSqlite) return;
  api = await withWebhooks("*");
  longest = longestWrite(api);
  changesApi = await withWebhooks("contact.updated");
  longestChange = longestWrite(changesApi);
});
afterAll(async () => {
  if (lacksSqlite) return;
  await Promise.all([api, changesApi].map((one) => one.stop()));
});

async function withWebhooks(event: string): Promise<TestApi> {
  const one = await startApi();
  for (let n = 0; n < WEBHOOKS; n++)
    await one.call("POST", "/webhooks", { url: "https://shop.example.org/hook", events: [event] });
  return one;
}

const told = (one: TestApi, type: string, domain: string): number =>
  Number(
    rowsFrom(
      one,
      "SELECT count(*) AS n FROM webhook_deliveries WHERE type = ? AND data LIKE ?",
      type,
      `%@${domain}%`,
    )[0].n,
  );

const emails = (domain: string): string[] =>
  Array.from({ length: PEOPLE }, (_, n) => `reader-${n}@${domain}`);

const WAYS: readonly (readonly [way: string, bring: (emails: readonly string[]) => Promise<unknown>])[] = [
  [
    "POST /contacts/bulk",
    (all) => api.call("POST", "/contacts/bulk", { contacts: all.map((email) => ({ email })) }),
  ],
  [
    "POST /contacts at once",
    (all) => Promise.all(all.map((email) => api.call("POST", "/contacts", { email }))),
  ],
  [
    "POST /events/bulk",
    (all) => api.call("POST", "/events/bulk", { events: all.map((email) => ({ email, name: "seen" })) }),
  ],
  [
    "an import",
    (all) => imported(api, `email,status\n${all.map((email) => `${email},SUBSCRIBED`).join("\n")}\n`),
  ],
];

test.skipIf(lacksSqlite).each(WAYS)(
  "with all webhooks that there may be, %s writes few people together, and tells of each once",
  async (way, bring) => {
    longest.rows = 0;
    const domain = `${WAYS.findIndex(([name]) => name === way)}.example`;
    await bring(emails(domain));
    expect(longest.rows).toBeGreaterThan(WEBHOOKS);
    expect(longest.rows).toBeLessThan(ROWS_MAX);
    expect(told(api, "contact.created", domain)).toBe(PEOPLE * WEBHOOKS);
  },
);

const CHANGES: readonly (readonly [way: string, bring: (emails: readonly string[]) => Promise<unknown>])[] = [
  [
    "POST /contacts/bulk",
    (all) =>
      changesApi.call("POST", "/contacts/bulk", {
        contacts: all.map((email) => ({ email, tags: ["reader"] })),
      }),
  ],
  [
    "POST /contacts at once",
    (all) =>
      Promise.all(all.map((email) => changesApi.call("POST", "/contacts", { email, tags: ["reader"] }))),
  ],
  [
    "an import",
    (all) =>
      imported(
        changesApi,
        `email,status,tags\n${all.map((email) => `${email},SUBSCRIBED,reader`).join("\n")}\n`,
      ),
  ],
];

test.skipIf(lacksSqlite).each(CHANGES)(
  "with webhooks that ask for changes alone, %s changes few people together, and tells of each once",
  async (way, change) => {
    const domain = `change-${CHANGES.findIndex(([name]) => name === way)}.example`;
    await changesApi.call("POST", "/contacts/bulk", {
      contacts: emails(domain).map((email) => ({ email })),
    });
    longestChange.rows = 0;
    await change(emails(domain));
    expect(longestChange.rows).toBeGreaterThan(WEBHOOKS);
    expect(longestChange.rows).toBeLessThan(ROWS_MAX);
    expect(told(changesApi, "contact.updated", domain)).toBe(PEOPLE * WEBHOOKS);
  },
);
