/** Why recipients got nothing: counted by reason, each reason a list of people, and all of it as a file. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import {
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { needsSqlite } from "../../support/server/services.ts";

const lacksSqlite = needsSqlite("no PostgreSQL has data of a version that did not count them");

let api: SendingApi;
let id = "";

const REPLIES: Readonly<Record<string, string>> = {
  gone: "550 5.1.1 No such user",
  "=cmd": "550 5.1.1 =cmd|calc",
  closed: "550 5.2.1 Account disabled",
};

beforeAll(async () => {
  api = await startSending({ RCPT: ({ rcptTo }) => REPLIES[rcptTo.at(-1)?.split("@")[0] ?? ""] });
  const { listId } = await makeAudience(api, [
    "ada@example.com",
    "gone@example.com",
    "=cmd@example.com",
    "closed@example.com",
    "sam@example.com",
    "sue@example.com",
    "bob@blocked.example",
  ]);
  for (const email of ["sam@example.com", "sue@example.com"])
    await api.services.suppressions.add(api.workspaceId, email, "MANUAL");
  await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
  id = await makeCampaign(api, listId);
  await send(api, id);
});
afterAll(() => api.stop());

const found = async (query: string): Promise<{ emails: string[]; total: number }> => {
  const { body } = await api.call("GET", `/campaigns/${id}/deliveries?${query}`);
  const emails = body.data.map(({ email }: { email: string }) => email);
  return { emails: emails.toSorted(), total: body.pagination.total };
};

const fileOf = async (query = ""): Promise<string[]> => {
  const headers = { authorization: `Bearer ${api.key}` };
  const answer = await fetch(`${api.url}/api/v1/exports/campaigns/${id}/deliveries${query}`, { headers });
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="deliveries.csv"');
  return (await answer.text()).split("\r\n");
};

test("a report counts them where it is asked to, and only there", async () => {
  const { body } = await api.call("GET", `/campaigns/${id}/report?include=reasons`);
  expect(body.data.reasons.slice(0, 2).map(({ count }: { count: number }) => count)).toEqual([2, 2]);
  expect(new Set(body.data.reasons.map((one: object) => JSON.stringify(one)))).toEqual(
    new Set(
      [
        { state: "SKIPPED", reason: "SUPPRESSED", count: 2 },
        { state: "BOUNCED", reason: "USER_UNKNOWN", count: 2 },
        { state: "FAILED", reason: "ACCOUNT_DISABLED", count: 1 },
        { state: "SKIPPED", reason: "BLOCKED_DOMAIN", count: 1 },
      ].map((one) => JSON.stringify(one)),
    ),
  );
  expect(Object.keys(await reportOf(api, id))).not.toContain("reasons");
  expect((await api.call("GET", `/campaigns/${id}/report?include=all`)).status).toBe(422);
});

test("each reason is a list of people, page by page", async () => {
  expect(await found("reason=SUPPRESSED")).toEqual({
    emails: ["sam@example.com", "sue@example.com"],
    total: 2,
  });
  expect(await found("reason=USER_UNKNOWN&state=BOUNCED")).toEqual({
    emails: ["=cmd@example.com", "gone@example.com"],
    total: 2,
  });
  expect(await found("reason=USER_UNKNOWN&state=SENT")).toEqual({ emails: [], total: 0 });
  expect(await found("reason=NOTHING")).toEqual({ emails: [], total: 0 });
  expect(await found("reason=SUPPRESSED&email=ada@example.com")).toEqual({ emails: [], total: 0 });
  const { body } = await api.call("GET", `/campaigns/${id}/deliveries?reason=SUPPRESSED&limit=1`);
  const after = body.pagination.nextCursor;
  const rest = await found(`reason=SUPPRESSED&limit=1&after=${after}`);
  expect(new Set([body.data[0].email, ...rest.emails])).toEqual(
    new Set(["sam@example.com", "sue@example.com"]),
  );
});

test("the file has everybody, takes the filters of the list, and runs nothing in a spreadsheet", async () => {
  const [header, ...lines] = await fileOf();
  expect(header).toBe("email,state,reason,detail,smtpReply,attempts,sentAt,contactId");
  expect(lines.length).toBe(8);
  expect(lines.at(-1)).toBe("");
  expect(lines.find((line) => line.startsWith('"ada@'))).toMatch(
    /^"ada@example\.com","SENT","","","250 [^"]*","1","\d{4}-[^"]*Z","ct_\w+"$/,
  );
  expect(lines.find((line) => line.includes("=cmd@"))).toStartWith(
    '"\'=cmd@example.com","BOUNCED","USER_UNKNOWN"',
  );
  const some = await fileOf("?reason=SUPPRESSED&state=SKIPPED");
  expect(some.slice(1).map((line) => line.split(",")[0])).toEqual([
    '"sue@example.com"',
    '"sam@example.com"',
    "",
  ]);
  expect((await api.call("GET", `/exports/campaigns/${id}/deliveries?state=all`)).status).toBe(422);
  expect((await api.call("GET", "/exports/campaigns/cmp_nothing/deliveries")).status).toBe(404);
  const draft = await makeCampaign(api, null);
  const { status } = await api.call("GET", `/exports/campaigns/${draft}/deliveries`);
  expect(status).toBe(200);
  const { body } = await api.call("GET", "/audit?what=deliveries_exported");
  expect(body.data.map(({ target }: { target: string }) => target)).toEqual([draft, id, id]);
});

test("are counted as the rows say", async () => {
  expect(await api.place.ledgerFaults(api.services)).toEqual([]);
});

test.skipIf(lacksSqlite)("an upgrade counts the same from the rows", () => {
  const { sqlite } = api.services.database;
  const counted = () => sqlite.query("SELECT * FROM mailing_reasons WHERE n > 0").values();
  const before = counted();
  expect(before.length).toBe(2);
  sqlite.run("DELETE FROM mailing_reasons");
  const { sql } = MIGRATIONS.find(({ name }) => name.endsWith("_reasons"))!;
  sqlite.exec(
    sql.split("--> statement-breakpoint").find((one) => one.includes("INSERT INTO mailing_reasons\nSELECT"))!,
  );
  expect(counted()).toEqual(before);
});
