import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tokensOf } from "#deliveries/token.ts";
import {
  formIn,
  startPreferences,
  type PreferencesApi,
  type Reader,
} from "../../support/people/preferences.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { derivedTablesAgree } from "../../support/people/people.ts";
import { tokenOf } from "../../support/people/readers.ts";

let api: PreferencesApi;
let [news, offers] = ["", ""];
beforeAll(async () => {
  api = await startPreferences();
  ({ news, offers } = api.lists);
});
afterAll(async () => {
  expect(derivedTablesAgree(api)).toBe(true);
  await api.stop();
});

const pageOf = async (reader: Reader): Promise<string> => readPage(await api.visit(reader.path));
const ADA = { firstName: "Ada", lastName: "Lovelace" };

/** People who do not choose, and what the page says to them. */
type Person = readonly [who: string, make: (reader: Reader) => Promise<unknown>, canLeave: boolean];
const patch = (body: object) => (reader: Reader) => api.call("PATCH", `/contacts/${reader.contactId}`, body);
const suppress = (reason: string) => (reader: Reader) =>
  api.call("POST", "/suppressions", { email: reader.address, reason });
const OUT: readonly Person[] = [
  ["opted out by the API", patch({ consent: "declined" }), false],
  [
    "opted out by the unsubscribe link",
    ({ unsubscribe }) => api.visit(unsubscribe, { method: "POST" }),
    false,
  ],
  ["opted out on this page", (reader) => api.choose(reader, { leave: "everything" }), false],
  ["bounced", patch({ status: "BOUNCED" }), true],
  ["is suppressed as UNSUBSCRIBED, though SUBSCRIBED again", raisedAgain, true],
  ["is suppressed as MANUAL", suppress("MANUAL"), true],
  ["complained", suppress("COMPLAINT"), true],
  ["was deleted", ({ contactId }) => api.call("DELETE", `/contacts/${contactId}`), true],
  ["opted out and was deleted", goneForGood, false],
  ["has another address now", patchAddress, true],
];
async function raisedAgain(reader: Reader): Promise<void> {
  await patch({ consent: "declined" })(reader);
  await patch({ status: "SUBSCRIBED", consent: "explicit" })(reader);
}
async function goneForGood(reader: Reader): Promise<void> {
  await patch({ consent: "declined" })(reader);
  await api.call("DELETE", `/contacts/${reader.contactId}`);
}
async function patchAddress(reader: Reader): Promise<void> {
  await patch({ email: `moved-${reader.address}` })(reader);
}

describe("nobody is brought back, and nobody is made: who", () => {
  test.each(OUT)("%s sees so, and changes nothing by joining", async (_who, make, canLeave) => {
    const reader = await api.newReader([news], ADA);
    await make(reader);
    const before = await api.standing(reader);
    const total = (await api.call("GET", "/contacts")).body.pagination.total;
    const page = await pageOf(reader);
    expect(textOf(page)).toContain("You get no emails No newsletters or other marketing emails of Default");
    expect(page).not.toContain("Lovelace");
    expect(formIn(page)).toEqual({ boxes: {}, fields: {} });
    expect(page.includes('value="everything"')).toBe(canLeave);
    for (const form of [{ lists: [news, offers], firstName: "Eve" }, {}]) {
      const answer = await api.choose(reader, form);
      expect(answer.status).toBe(200);
      expect(textOf(await readPage(answer))).toContain("You get no emails");
    }
    expect(await api.standing(reader)).toEqual(before);
    expect((await api.call("GET", "/contacts")).body.pagination.total).toBe(total);
  });

  test.each(OUT)("%s can still leave everything, once", async (_who, make, canLeave) => {
    const reader = await api.newReader([news], ADA);
    await make(reader);
    const before = await api.standing(reader);
    const log = [...before.log, ...(canLeave ? ["WITHDRAWN preferences *"] : [])];
    for (const _ of ["once", "again"]) {
      const answer = await api.choose(reader, { leave: "everything" });
      expect([answer.status, textOf(await readPage(answer))]).toEqual([
        200,
        expect.stringContaining("You are unsubscribed"),
      ]);
    }
    const after = await api.standing(reader);
    expect([after.log, after.on]).toEqual([log, []]);
    expect(after.suppressed).toBe(before.suppressed ?? "UNSUBSCRIBED");
    expect([undefined, "UNSUBSCRIBED"]).toContain(after.status);
    expect(await pageOf(reader)).not.toContain('value="everything"');
  });
});

describe("a link that is not ours", () => {
  test("is the 404 page of every broken link, and changes nobody", async () => {
    const reader = await api.newReader([news]);
    const before = await api.standing(reader);
    const token = tokenOf(reader.unsubscribe);
    const secret = crypto.getRandomValues(new Uint8Array(32));
    const tokens = [
      tokenOf(reader.pixel),
      tokenOf(reader.links[0]!),
      tokensOf(secret, 1).unsubscribe,
      tokensOf(api.services.database.signingSecret, 2 ** 40).unsubscribe,
      `${token}=`,
      token.toLowerCase(),
      token.slice(0, -1),
      "x",
      "x".repeat(10_000),
      "%00",
      "..%2f..",
    ];
    const asked = await Promise.all(
      tokens.flatMap((one) => [
        api.visit(`/p/${one}`),
        api.visit(`/p/${one}`, { method: "POST", body: new URLSearchParams({ leave: "everything" }) }),
      ]),
    );
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([404]));
    const pages = await Promise.all(
      [...asked, await api.visit("/p"), await api.visit("/u/x")].map((one) => readPage(one)),
    );
    expect(new Set(pages).size).toBe(1);
    expect(await api.standing(reader)).toEqual(before);
  });

  test("of a test mail says so, by GET and POST, and changes nobody", async () => {
    const { unsubscribe } = tokensOf(api.services.database.signingSecret, 0);
    const total = (await api.call("GET", "/consents")).body.pagination.total;
    for (const path of [`/p/${unsubscribe}`, `/u/${unsubscribe}`])
      for (const method of ["GET", "POST"]) {
        const body = method === "POST" ? new URLSearchParams({ leave: "everything" }) : null;
        const answer = await api.visit(path, { method, body });
        expect([answer.status, textOf(await readPage(answer))]).toEqual([
          200,
          expect.stringContaining("This was a test"),
        ]);
      }
    expect((await api.call("GET", "/consents")).body.pagination.total).toBe(total);
  });

  test("of another workspace shows and takes only that workspace's lists", async () => {
    const reader = await api.newReader([news]);
    const other = await api.services.workspaces.create("Neighbours");
    const foreign = (await api.call("POST", "/lists", { name: "Foreign" }, other.key)).body.data.id;
    await api.call("PATCH", `/lists/${foreign}/options`, { public: true }, other.key);
    expect(await pageOf(reader)).not.toContain("Foreign");
    await api.choose(reader, { lists: [news, foreign] });
    expect(await api.standing(reader)).toMatchObject({ on: ["news"], log: [] });
    expect((await api.call("GET", `/lists/${foreign}`, undefined, other.key)).body.data.contactCount).toBe(0);
  });
});
