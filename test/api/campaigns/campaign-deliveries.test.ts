import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { freeze, newCampaign, noteEnds } from "../../support/sending/campaigns.ts";
import { writeTo } from "../../support/server/services.ts";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const clock: Clock = { ...systemClock, now: () => NOW };

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const sql = (text: string, ...values: (string | number | null)[]) => writeTo(api, text, ...values);

describe("GET /campaigns/{id}/deliveries", () => {
  let path: string;
  const STATES = ["queued", "dot", "sent", "bounced", "failed", "uncertain", "skipped"] as const;
  const SHOWN = ["QUEUED", "SENDING", "SENT", "BOUNCED", "FAILED", "UNCERTAIN", "SKIPPED"];
  const page = async (query: string) => (await api.call("GET", `${path}?${query}`)).body;

  beforeAll(async () => {
    const { id } = await newCampaign(api);
    path = `/campaigns/${id}/deliveries`;
    const counters = {
      planned: 7,
      queued: 1,
      dot: 1,
      sent: 1,
      bounced: 1,
      failed: 1,
      uncertain: 1,
      skipped: 1,
    };
    const mailing = await freeze(api, id, counters);
    const stranger = await freeze(api, (await newCampaign(api)).id, { planned: 1, queued: 1 });
    for (const state of STATES) {
      await sql(
        "INSERT INTO deliveries (mailing, address, state) VALUES (?, ?, ?)",
        mailing,
        `${state}@example.com`,
        state,
      );
    }
    await sql(
      "INSERT INTO deliveries (mailing, address, state) VALUES (?, 'linus@example.com', 'queued')",
      stranger,
    );
    const ofState = "WHERE mailing = ? AND state = ?";
    await sql(
      `UPDATE deliveries SET attempts = 2, reason = 'USER_UNKNOWN', reply_code = 550, reply_enhanced = '5.1.1', reply_text = 'no such user', settled_at = ? ${ofState}`,
      NOW,
      mailing,
      "bounced",
    );
    await sql(
      `UPDATE deliveries SET attempts = 1, reply_code = 250, reply_text = 'OK', settled_at = ? ${ofState}`,
      NOW,
      mailing,
      "sent",
    );
    await sql(`UPDATE deliveries SET reason = 'EXCLUDED' ${ofState}`, mailing, "skipped");
    await noteEnds(api);
    const contact = await api.call("POST", "/contacts", { email: "sent@example.com" });
    await sql(
      `UPDATE deliveries SET contact = (SELECT seq FROM contacts WHERE id = ?) ${ofState}`,
      contact.body.data.id,
      mailing,
      "sent",
    );
  });

  test("names everyone and what became of them, newest first", async () => {
    const { data, pagination } = await page("");
    expect(data.map(({ state }: any) => state)).toEqual(SHOWN.toReversed());
    expect(data.map(({ email }: any) => email)).toEqual(
      STATES.toReversed().map((state) => `${state}@example.com`),
    );
    expect(pagination).toEqual({ total: 7, limit: 20, hasMore: false, nextCursor: null });
  });

  test("shows a row's facts: the reply on one line, the attempts, when it went out, and the contact while there is one", async () => {
    const [sent] = (await page("state=SENT")).data;
    const { id: contactId } = (await api.call("GET", "/contacts?q=sent@example.com")).body.data[0];
    const sentAt = "2026-11-21T09:00:00.000Z";
    const row = {
      contactId,
      email: "sent@example.com",
      state: "SENT",
      reason: null,
      smtpReply: "250 OK",
      attempts: 1,
      sentAt,
    };
    expect(sent).toEqual(row);
    await api.call("DELETE", `/contacts/${contactId}`);
    expect((await page("state=SENT")).data).toEqual([{ ...row, contactId: null }]);
    const [bounced] = (await page("state=BOUNCED")).data;
    expect(bounced).toMatchObject({
      reason: "USER_UNKNOWN",
      smtpReply: "550 5.1.1 no such user",
      attempts: 2,
      sentAt: null,
    });
    const [queued] = (await page("state=QUEUED")).data;
    expect(queued).toMatchObject({ reason: null, smtpReply: null, attempts: 0, sentAt: null });
  });

  test.each(SHOWN.map((shown, i) => [shown, STATES[i]!]))(
    "state=%s finds only those",
    async (shown, state) => {
      const { data, pagination } = await page(`state=${shown}`);
      expect(data.map(({ email }: any) => email)).toEqual([`${state}@example.com`]);
      expect(pagination.total).toBe(1);
    },
  );

  test("a walk over pages of two meets everybody once", async () => {
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null;) {
      const { data, pagination }: any = await page(`limit=2&after=${after}`);
      seen.push(...data.map(({ state }: any) => state));
      after = pagination.nextCursor;
    }
    expect(seen).toEqual(SHOWN.toReversed());
  });

  test.each(["sent", "DOT", "nonsense"])("state=%s is no state: 422", async (state) => {
    const { status, body } = await api.call("GET", `${path}?state=${state}`);
    expect([status, body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("before any send is an empty page, and a bad filter is still refused", async () => {
    const { id } = await newCampaign(api);
    expect((await api.call("GET", `/campaigns/${id}/deliveries?state=`)).body).toEqual({
      data: [],
      pagination: { total: 0, limit: 20, hasMore: false, nextCursor: null },
    });
    expect((await api.call("GET", `/campaigns/${id}/deliveries?state=x`)).status).toBe(422);
    expect((await api.call("GET", `/campaigns/${id}/deliveries?after=x`)).status).toBe(422);
  });
});
