/** What POST /send sent, as people look it up (docs/contract.md "Transactional mail"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { sqliteSendingStores } from "#app/sqlite-stores.ts";
import { accept } from "#core/errors/errors.ts";
import { inNewWorkspace } from "../../support/server/api.ts";
import { person } from "../../support/people/people.ts";
import { BOUNCE_DOMAIN, dsn, overSmtp } from "../../support/inbound/reports.ts";
import {
  makeAudience,
  makeCampaign,
  numberOf,
  SENDER,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { post } from "../../support/server/transactional.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { claimDot } from "../../support/storage/engine-mailings.ts";

let service: SendingApi;
let api: SendingApi;
beforeAll(async () => {
  service = await startSending({
    RCPT: ({ rcptTo }) =>
      rcptTo[0] === "dead@example.com"
        ? "550 5.1.1 No such user here"
        : rcptTo[0] === "refused@example.com"
          ? "550 5.7.1 Not from you"
          : undefined,
  });
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
  await api.services.workspaces.changeSettings(api.workspaceId, { ...SENDER, bounceDomain: BOUNCE_DOMAIN });
});
afterAll(async () => {
  expect(disagreements()).toBe(0);
  await service.stop();
});

/** Messages that are looked up as something else than the ledger has them. */
const disagreements = (): number =>
  numberOf(
    service,
    `SELECT count(*) AS n FROM mailings AS m JOIN deliveries AS d ON d.mailing = m.seq
       LEFT JOIN messages AS x ON x.delivery = d.seq AND x.workspace = m.workspace AND x.address = d.address
     WHERE m.kind = 'transactional' AND CASE WHEN m.is_test THEN x.state IS NOT NULL
       ELSE x.state IS DISTINCT FROM CASE d.state WHEN 'dot' THEN 'queued' ELSE d.state END END`,
  );

const list = async (query = "") => (await api.call("GET", `/messages?${query}`)).body;
const told = async (query = ""): Promise<string[]> =>
  (await list(query)).data.map(({ email, state }: Record<string, string>) => `${email} ${state}`);

describe("GET /messages", () => {
  test("tells what became of everybody's message, newest first", async () => {
    const ada = await person(api, "ada@example.com");
    await api.call("POST", "/suppressions", { email: "blocked@example.com", reason: "HARD_BOUNCE" });
    const to = ["ada@example.com", "dead@example.com", "refused@example.com", "blocked@example.com"];
    const answer = await post(api, { to, tags: ["receipt", "eu"] });
    const { data, pagination } = await list();
    expect(pagination).toMatchObject({ total: 4, hasMore: false });
    expect(data.map(({ email, state, reason }: any) => [email, state, reason])).toEqual([
      ["blocked@example.com", "SKIPPED", "SUPPRESSED"],
      ["refused@example.com", "FAILED", expect.any(String)],
      ["dead@example.com", "BOUNCED", expect.any(String)],
      ["ada@example.com", "SENT", null],
    ]);
    expect(data[3]).toEqual({
      id: expect.stringMatching(/^delivery_\d+$/),
      sendId: answer.body.data.id,
      messageId: answer.body.data.recipients[0].messageId,
      email: "ada@example.com",
      contactId: ada.id,
      state: "SENT",
      reason: null,
      smtpReply: expect.stringMatching(/^250 /),
      attempts: 1,
      tags: ["eu", "receipt"],
      createdAt: expect.any(String),
      sentAt: expect.any(String),
    });
    expect(data[2].smtpReply).toContain("No such user here");
    expect([data[0].messageId, data[0].sentAt, data[0].contactId]).toEqual([null, null, null]);
  });

  test("filters by address and state, with totals, page by page", async () => {
    for (let i = 0; i < 3; i++) await post(api, { to: ["ada@example.com", `reader-${i}@example.com`] });
    await post(api, { to: ["refused@example.com", "ada@example.com"] });
    expect((await list("state=SENT")).pagination.total).toBe(7);
    expect((await list("email=%20ADA@Example.com")).pagination.total).toBe(4);
    expect(await told("state=FAILED")).toEqual(["refused@example.com FAILED"]);
    expect(await told("email=refused@example.com&state=SENT")).toEqual([]);
    expect((await list("email=refused@example.com&state=SENT")).pagination.total).toBe(0);
    expect(await told("email=&state=")).toHaveLength(8);
    for (const filter of ["", "state=SENT&", "email=ada@example.com&", "email=ada@example.com&state=SENT&"]) {
      const whole = (await list(filter)).data.map(({ id }: { id: string }) => id);
      const walked: string[] = [];
      for (let after = ""; ;) {
        const page = await list(`${filter}limit=3&after=${after}`);
        expect(page.pagination.total).toBe(whole.length);
        walked.push(...page.data.map(({ id }: { id: string }) => id));
        if (!page.pagination.hasMore) break;
        after = page.pagination.nextCursor;
      }
      expect([filter, walked]).toEqual([filter, whole]);
    }
  });

  test("refuses what it cannot look for, and says what would do", async () => {
    for (const [query, says] of [
      ["state=DELIVERED", "`state` must be one of QUEUED, SENT, BOUNCED, FAILED, UNCERTAIN, SKIPPED."],
      ["email=ada", "The email address has no @."],
      ["status=SENT", "it is called `state`"],
      ["to=ada@example.com", "it is called `email`"],
      ["subject=Receipt", "what stood in a message is not kept"],
      ["after=nonsense", "`after` is not a cursor of this list"],
    ] as const) {
      const { status, body } = await api.call("GET", `/messages?${query}`);
      expect([query, status]).toEqual([query, 422]);
      expect(body.error.message).toContain(says);
    }
  });

  test("has neither another workspace's messages, nor campaigns, nor their tests", async () => {
    const { listId } = await makeAudience(api, ["ada@example.com"]);
    const campaign = await makeCampaign(api, listId);
    expect((await api.call("POST", `/campaigns/${campaign}/test`, { to: "me@example.com" })).status).toBe(
      200,
    );
    expect((await api.call("POST", `/campaigns/${campaign}/send`)).body.data.sent).toBe(1);
    const other = await inNewWorkspace(service);
    await other.services.workspaces.changeSettings(other.workspaceId, SENDER);
    await post(other);
    expect((await list()).pagination.total).toBe(0);
    const { id } = (await other.call("GET", "/messages")).body.data[0];
    expect((await api.call("GET", `/messages/${id}`)).status).toBe(404);
    expect((await other.call("GET", `/messages/${id}`)).status).toBe(200);
    for (const missing of ["nothing", "delivery_0", "delivery_999999999999999", "4711"])
      expect((await api.call("GET", `/messages/${missing}`)).status).toBe(404);
  });
});

describe("GET /messages/{id}", () => {
  test("tells of the request, the relay's answer, and a bounce that came later", async () => {
    await person(api, "ada@example.com");
    await post(api);
    const sender = api.relay.accepted.at(-1)!.mailFrom;
    const { id } = (await list()).data[0];
    const story = async () => (await api.call("GET", `/messages/${id}`)).body.data;
    expect((await story()).history).toEqual([
      { at: expect.any(String), what: "REQUESTED", words: null },
      { at: expect.any(String), what: "SENT", words: expect.any(String) },
    ]);
    expect(await overSmtp(api, dsn({ recipient: "ada@example.com" }), sender)).toBe("applied");
    const bounced = await story();
    expect(bounced).toMatchObject({ state: "BOUNCED", sentAt: expect.any(String) });
    expect(bounced.history.map(({ what }: { what: string }) => what)).toEqual([
      "REQUESTED",
      "SENT",
      "BOUNCED",
      "REPORTED",
    ]);
    expect(bounced.history[3].words).toContain("No such user here");
    expect(await told("state=BOUNCED")).toEqual(["ada@example.com BOUNCED"]);
    expect((await list("state=SENT")).pagination.total).toBe(0);
    const moment = `/contacts/${bounced.contactId}/timeline`;
    const ids = (await api.call("GET", moment)).body.data.map((each: { id: string }) => each.id);
    expect(ids).toContain(id);
  });

  test("stays when its contact is deleted", async () => {
    const ada = await person(api, "ada@example.com");
    await post(api);
    await api.call("DELETE", `/contacts/${ada.id}`);
    const [message] = (await list("email=ada@example.com")).data;
    expect(message).toMatchObject({ email: "ada@example.com", contactId: null, state: "SENT" });
  });
});

test.skipIf(needsSqlite("a node of PostgreSQL is swept when its lease is over"))(
  "a request that the server's end cut off is shown as failed, and a message at its dot as unknown",
  async () => {
    const { sends } = sqliteSendingStores(service.services);
    const now = Date.now();
    const begun = await sends.begin({
      id: "snd_cut_off",
      workspaceId: api.workspaceId,
      addresses: ["one@example.com", "two@example.com"],
      tags: [],
      from: { address: SENDER.fromEmail },
      keyed: null,
      month: "2026-11",
      now,
      repeat: () => accept(null),
      checkQuota: () => null,
    });
    expect(begun).toMatchObject({ kind: "begun", owed: 2 });
    expect(await told("state=QUEUED")).toEqual(["two@example.com QUEUED", "one@example.com QUEUED"]);
    const two = Number((await list("email=two@example.com")).data[0].id.replace("delivery_", ""));
    expect(await claimDot(service.services.ledger, two, 1, now)).toBe("dot");
    expect((await list("state=QUEUED")).pagination.total).toBe(2);
    await service.services.ledger.sweep(now);
    expect(await told()).toEqual(["two@example.com UNCERTAIN", "one@example.com FAILED"]);
    expect((await list("state=QUEUED")).pagination.total).toBe(0);
  },
);
