/** /suppressions and /blocked-domains: the same service as the command line's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { turnsDuring } from "../../support/common/turns.ts";
import { consentLog, listOf, person } from "../../support/people/people.ts";
import { writeTo, isPostgres } from "../../support/server/services.ts";
import { countRows } from "../../support/sending/campaigns.ts";

const clock = manualClock();
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop({ graceMs: 0 }));
beforeEach(() => writeTo(api, "DELETE FROM suppressions"));

const now = () => new Date(clock.now()).toISOString();
const add = (email: unknown, reason?: unknown) => api.call("POST", "/suppressions", { email, reason });
const remove = (email: string) => api.call("DELETE", `/suppressions/${encodeURIComponent(email)}`);
const page = async (query = "") => (await api.call("GET", `/suppressions?${query}`)).body;
const emails = async (query = "") => (await page(query)).data.map(({ email }: any) => email);

describe("POST /suppressions", () => {
  test("201 with the entry for a new address, 200 for a known one", async () => {
    const entry = { email: "ada@example.com", reason: "MANUAL", source: "api", createdAt: now() };
    const first = await add("  Ada@Example.com ");
    expect([first.status, first.body]).toEqual([201, { data: entry }]);
    clock.advance(1_000);
    const again = await add("ada@example.com");
    expect([again.status, again.body]).toEqual([200, { data: entry }]);
    expect((await page()).data).toEqual([entry]);
  });

  test("keeps the stronger reason, with its source and the entry's own time", async () => {
    const { createdAt } = (await add("ada@example.com", "UNSUBSCRIBED")).body.data;
    clock.advance(1_000);
    await api.services.suppressions.add(api.workspaceId, "ada@example.com", "COMPLAINT");
    const stronger = { email: "ada@example.com", reason: "COMPLAINT", source: "admin", createdAt };
    expect((await page()).data).toEqual([stronger]);
    for (const reason of ["UNSUBSCRIBED", "MANUAL", "HARD_BOUNCE", "COMPLAINT"])
      expect((await add("ada@example.com", reason)).body.data).toEqual(stronger);
  });

  test.each([
    [{}, "email"],
    [{ email: "ada" }, "@"],
    [{ email: "Ada <ada@example.com>" }, "email"],
    [{ email: 5 }, "email"],
    [{ email: ["ada@example.com"] }, "email"],
    [{ email: "ada@example.com", reason: "manual" }, "reason"],
    [{ email: "ada@example.com", reason: "" }, "reason"],
    [{ email: "ada@example.com", reason: 5 }, "reason"],
    [{ address: "ada@example.com" }, "email"],
  ])("%j is 422, and nobody is suppressed", async (body, named) => {
    const answer = await api.call("POST", "/suppressions", body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(named);
    expect((await page()).pagination.total).toBe(0);
  });

  test("changes no contact, logs no consent, and campaigns pass the person by", async () => {
    const grace = await person(api, "grace@example.com");
    const before = await consentLog(api);
    await add("grace@example.com");
    expect((await api.call("GET", `/contacts/${grace.id}`)).body.data).toEqual(grace);
    expect(await consentLog(api)).toEqual(before);
    expect((await person(api, "new@example.com")).status).toBe("SUBSCRIBED");
    await add("linus@example.com", "HARD_BOUNCE");
    expect((await person(api, "linus@example.com")).status).toBe("BOUNCED");
  });
});

describe("where an entry came from", () => {
  const sourceOf = async (email: string) => (await page(`q=${email}`)).data[0]?.source;

  test("is the API for what the API did, also for a contact that was deleted, and else what it was", async () => {
    const ada = await person(api, "source-ada@example.com");
    await api.call("PATCH", `/contacts/${ada.id}`, { consent: "declined" });
    expect(await sourceOf("source-ada@example.com")).toBe("api");
    const origin = { source: "unsubscribe", formId: null, clientAddress: null, userAgent: null } as const;
    await api.services.contacts.optOut({
      workspaceId: api.workspaceId,
      address: "source-hedy@example.com",
      contactId: null,
      origin,
    });
    expect(await sourceOf("source-hedy@example.com")).toBe("unsubscribe");
    const emmy = await person(api, "source-emmy@example.com", { status: "BOUNCED" });
    await remove("source-emmy@example.com");
    await api.call("DELETE", `/contacts/${emmy.id}`);
    expect(await sourceOf("source-emmy@example.com")).toBe("api");
  });

  test("is unknown for an entry from before that was kept", async () => {
    await writeTo(
      api,
      "INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, 'old@example.com', 'MANUAL', 0)",
    );
    expect(await sourceOf("old@example.com")).toBeNull();
  });
});

describe("DELETE /suppressions/{email}", () => {
  test("204; 404 for an address that is not suppressed, and for what is no address", async () => {
    await add("a+b@example.com");
    expect((await remove(" A+B@Example.com")).status).toBe(204);
    for (const email of ["a+b@example.com", "nobody@example.com", "nothing", "a b", "%"])
      expect([email, (await remove(email)).status]).toEqual([email, 404]);
  });

  test.each(["a/b@example.com", "a%2fb@example.com", "a?b#c@example.com", "o'neil&co+=@example.com"])(
    "takes every address that can be suppressed, encoded: %s",
    async (email) => {
      expect((await add(email)).status).toBe(201);
      expect((await remove(email)).status).toBe(204);
      expect((await page()).pagination.total).toBe(0);
    },
  );

  test.each(["UNSUBSCRIBED", "BOUNCED"])(
    "never raises anybody: who is %s stays so, off every list",
    async (status) => {
      const email = `raised.${status.toLowerCase()}@example.com`;
      const { id } = await person(api, email);
      const list = await listOf(api, "Newsletter", [id]);
      await api.call("PATCH", `/contacts/${id}`, { status });
      const log = await consentLog(api);
      expect((await remove(email)).status).toBe(204);
      expect((await api.call("GET", `/contacts/${id}`)).body.data.status).toBe(status);
      expect((await api.call("GET", `/lists/${list}`)).body.data.contactCount).toBe(0);
      expect((await api.call("POST", "/contacts", { email })).body.data.status).toBe(status);
      expect((await api.call("PATCH", `/contacts/${id}`, { status: "SUBSCRIBED" })).body.data.status).toBe(
        status,
      );
      expect(await consentLog(api)).toEqual(log);
      await api.call("DELETE", `/contacts/${id}`);
      expect(await emails()).toEqual([email]);
    },
  );

  test("of somebody whose contact was deleted it forgets the opt-out, as the description says", async () => {
    const { id } = await person(api, "gone@example.com", { consent: "declined" });
    await api.call("DELETE", `/contacts/${id}`);
    expect((await api.call("POST", "/contacts", { email: "gone@example.com" })).body.data.status).toBe(
      "UNSUBSCRIBED",
    );
    const again = (await api.call("GET", "/contacts?q=gone@example.com")).body.data[0];
    await api.call("DELETE", `/contacts/${again.id}`);
    await remove("gone@example.com");
    expect((await person(api, "gone@example.com")).status).toBe("SUBSCRIBED");
  });
});

describe("GET /suppressions", () => {
  test("newest first, a page at a time; a stronger reason moves nobody", async () => {
    for (const name of ["a", "b", "c", "d", "e"]) {
      await add(`${name}@example.com`, name === "b" ? "UNSUBSCRIBED" : "MANUAL");
      clock.advance(-1);
    }
    await add("b@example.com", "COMPLAINT");
    const first = await page("limit=2");
    expect(first.data.map(({ email }: any) => email)).toEqual(["e@example.com", "d@example.com"]);
    expect(first.pagination).toMatchObject({ total: 5, limit: 2, hasMore: true });
    await remove("d@example.com");
    await add("f@example.com");
    const second = await page(`limit=2&after=${first.pagination.nextCursor}`);
    expect(second.data.map(({ email }: any) => email)).toEqual(["c@example.com", "b@example.com"]);
    const third = await page(`limit=2&after=${second.pagination.nextCursor}`);
    expect(third.data.map(({ email }: any) => email)).toEqual(["a@example.com"]);
    expect(third.pagination).toMatchObject({ hasMore: false, nextCursor: null, total: 5 });
  });

  test("`reason` and `q` filter, both together too; another reason is 422, empty ones are none", async () => {
    await add("ada@example.com", "COMPLAINT");
    await add("ada@example.org", "MANUAL");
    await add("100%_sure*@example.org", "COMPLAINT").catch(() => undefined);
    await add("grace_h@example.org", "HARD_BOUNCE");
    expect(await emails("reason=COMPLAINT&q=ADA@")).toEqual(["ada@example.com"]);
    expect(await emails("reason=MANUAL")).toEqual(["ada@example.org"]);
    expect(await emails("q=%20")).toEqual([]);
    expect(await emails("q=_")).toContain("grace_h@example.org");
    expect((await emails("q=example.org")).length).toBe((await page("q=example.org")).pagination.total);
    expect(await emails("q=_h@")).toEqual(["grace_h@example.org"]);
    expect(await emails("q=d%25")).toEqual([]);
    expect((await page("reason=&q=")).pagination.total).toBe((await page()).pagination.total);
    expect((await api.call("GET", "/suppressions?reason=SPAM")).status).toBe(422);
    expect((await api.call("GET", "/suppressions?after=x")).status).toBe(422);
  });

  test("counts by reason keep to the rows, whatever is done", async () => {
    for (let i = 0; i < 40; i++) await add(`n${i}@example.com`, i % 3 ? "MANUAL" : "UNSUBSCRIBED");
    for (let i = 0; i < 40; i += 4) await remove(`n${i}@example.com`);
    for (let i = 3; i < 40; i += 6) await add(`n${i}@example.com`, "COMPLAINT");
    for (const reason of ["MANUAL", "UNSUBSCRIBED", "COMPLAINT", "HARD_BOUNCE"]) {
      const rows = countRows(api, `suppressions WHERE reason = '${reason}'`);
      expect([reason, (await page(`reason=${reason}`)).pagination.total]).toEqual([reason, rows]);
      expect((await page(`reason=${reason}&q=@`)).pagination.total).toBe(rows);
    }
  });
});

describe("many suppressions", () => {
  const COUNT = 100_000;
  const FIRST = { limit: 20, before: null };
  const service = () => api.services.suppressions;

  test("a search walks them whole, in order, and lets others in between", async () => {
    await writeTo(
      api,
      `WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${COUNT})
       INSERT INTO suppressions (workspace, address, reason, created_at)
       SELECT 1, 'n' || value || '@example.' || CASE value % 10 WHEN 0 THEN 'org' ELSE 'com' END,
         CASE value % 7 WHEN 0 THEN 'COMPLAINT' ELSE 'UNSUBSCRIBED' END, value FROM n`,
    );
    const turnsOf = (q: string | null) =>
      turnsDuring(() => service().page(api.workspaceId, { reason: null, q }, FIRST));
    const turns = [await turnsOf(".org"), await turnsOf(null)];
    // The event loop is free while PostgreSQL walks them.
    if (!isPostgres) expect(turns).toEqual([6, 0]);
    const { data, pagination } = await page("q=.org&limit=100");
    expect(pagination.total).toBe(COUNT / 10);
    expect(data.map(({ email }: any) => email)).toEqual(
      Array.from({ length: 100 }, (_, i) => `n${COUNT - 10 * i}@example.org`),
    );
    const complaints = await page("q=.org&reason=COMPLAINT&limit=100");
    expect(complaints.pagination.total).toBe(Math.floor(COUNT / 70));
    const seen = [...complaints.data];
    for (let cursor = complaints.pagination.nextCursor; cursor !== null;) {
      const next = await page(`q=.org&reason=COMPLAINT&limit=100&after=${cursor}`);
      seen.push(...next.data);
      cursor = next.pagination.nextCursor;
    }
    expect(seen.map(({ email }) => email)).toEqual(
      Array.from(
        { length: Math.floor(COUNT / 70) },
        (_, i) => `n${(Math.floor(COUNT / 70) - i) * 70}@example.org`,
      ),
    );
    expect(await emails("q=n77777@")).toEqual(["n77777@example.com"]);
  });
});

describe("/blocked-domains", () => {
  const block = (domain: unknown) => api.call("POST", "/blocked-domains", { domain });
  const unblock = (domain: string) => api.call("DELETE", `/blocked-domains/${encodeURIComponent(domain)}`);
  const blocked = async (query = "") => (await api.call("GET", `/blocked-domains?${query}`)).body;

  test("201 for a new one, 200 for a known one, kept as lower-case A-labels; newest first", async () => {
    const first = await block(" Bücher.Example ");
    const entry = { domain: "xn--bcher-kva.example", createdAt: now() };
    expect([first.status, first.body.data]).toEqual([201, entry]);
    clock.advance(5);
    const again = await block("xn--bcher-kva.example");
    expect([again.status, again.body.data]).toEqual([200, entry]);
    await block("a.example");
    const { data, pagination } = await blocked("limit=1");
    expect([data.map(({ domain }: any) => domain), pagination.total]).toEqual([["a.example"], 2]);
    expect((await blocked(`limit=1&after=${pagination.nextCursor}`)).data).toEqual([entry]);
    expect((await unblock("BÜCHER.example")).status).toBe(204);
    for (const domain of ["bücher.example", "nothing", "a b", "@"])
      expect([domain, (await unblock(domain)).status]).toEqual([domain, 404]);
    expect((await blocked()).data.map(({ domain }: any) => domain)).toEqual(["a.example"]);
  });

  test.each([
    {},
    { domain: "" },
    { domain: "localhost" },
    { domain: 5 },
    { domain: "*.example" },
    { domain: "a@b.example" },
  ])("%j is 422, and nothing is blocked", async (body) => {
    const before = await blocked();
    const answer = await api.call("POST", "/blocked-domains", body);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(await blocked()).toEqual(before);
  });
});
