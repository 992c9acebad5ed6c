import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import {
  freeze,
  markSent,
  newCampaign,
  newList,
  newScheduled,
  rowOf,
} from "../../support/sending/campaigns.ts";
import { writeTo } from "../../support/server/services.ts";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");
const LATER = "2026-12-24T18:00:00.000Z";
const clock: Clock = { ...systemClock, now: () => NOW };

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.stop());

const sql = (text: string, ...values: (string | number | null)[]) => writeTo(api, text, ...values);
/** Makes a frozen campaign's plan one that is not complete. */
const planAgain = async (id: string): Promise<void> => {
  await sql("UPDATE mailings SET phase = 'planning' WHERE source_id = ?", id);
  await sql("UPDATE campaigns SET mailing = NULL WHERE id = ?", id);
};
const reportOf = async (id: string) => (await api.call("GET", `/campaigns/${id}/report`)).body.data;

const refusalOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it was not refused",
    (error: unknown) => error,
  );

const NOTHING = {
  planned: 0,
  sent: 0,
  failed: 0,
  uncertain: 0,
  remaining: 0,
  skipped: {},
  opened: 0,
  clicked: 0,
  bounced: 0,
  unsubscribed: 0,
  machine: { opened: 0, clicked: 0, suspected: 0 },
  startedAt: null,
  finishedAt: null,
  blocked: null,
};

describe("GET /campaigns/{id}/report", () => {
  test("before any send is all zeros", async () => {
    const { id } = await newCampaign(api);
    expect(await reportOf(id)).toEqual(NOTHING);
  });

  test("while the plan is being made is all zeros too", async () => {
    const { id } = await newCampaign(api);
    await freeze(api, id, { planned: 7, queued: 7 });
    await planAgain(id);
    expect(await reportOf(id)).toEqual(NOTHING);
  });

  test("of a send under way has each number apart, and planned is their sum", async () => {
    const { id } = await newCampaign(api);
    const counters = { queued: 4, dot: 2, sent: 10, bounced: 3, failed: 5, uncertain: 1, skipped: 6 };
    const mailing = await freeze(api, id, {
      ...counters,
      planned: 31,
      accepted: 11,
      opened: 8,
      clicked: 7,
      unsubscribed: 2,
      machine_opened: 9,
      machine_clicked: 6,
      suspected: 5,
      started_at: NOW,
    });
    await sql("INSERT INTO mailing_skips VALUES (?, 'EXCLUDED', 4), (?, 'SUPPRESSED', 2)", mailing, mailing);
    const report = await reportOf(id);
    expect(report).toEqual({
      planned: 31,
      sent: 10,
      failed: 5,
      uncertain: 1,
      remaining: 6,
      skipped: { EXCLUDED: 4, SUPPRESSED: 2 },
      opened: 8,
      clicked: 7,
      bounced: 3,
      unsubscribed: 2,
      machine: { opened: 9, clicked: 6, suspected: 5 },
      startedAt: "2026-11-21T09:00:00.000Z",
      finishedAt: null,
      blocked: null,
    });
    await markSent(api, id, NOW + 1000);
    expect((await reportOf(id)).finishedAt).toBe("2026-11-21T09:00:01.000Z");
  });

  test("says why a due campaign waits", async () => {
    const { id } = await newScheduled(api, LATER);
    await sql("UPDATE campaigns SET blocked = 'It is quiet hours.' WHERE id = ?", id);
    expect(await reportOf(id)).toEqual({ ...NOTHING, blocked: "It is quiet hours." });
  });
});

describe("a held campaign", () => {
  const heldSchedule = async () => {
    const { id } = await newScheduled(api, LATER);
    await sql("UPDATE campaigns SET held = TRUE, blocked = 'Late.', next_try_at = 5 WHERE id = ?", id);
    return id;
  };
  const heldSend = async () => {
    const { id } = await newCampaign(api, { listId: await newList(api) });
    await freeze(api, id, { queued: 3, held: 1 });
    return id;
  };
  const heldPlan = async () => {
    const { id } = await newCampaign(api, { listId: await newList(api) });
    await freeze(api, id, { held: 1 });
    await planAgain(id);
    return id;
  };

  test.each([
    ["with a schedule", heldSchedule],
    ["with a send under way", heldSend],
    ["with a plan under way", heldPlan],
  ])("%s says so in its report, names the command, and is let go by it once", async (_, make) => {
    const [id, bystander] = [await make(), await heldSend()];
    expect((await reportOf(id)).blocked).toContain(`postrider campaign release ${id}`);

    await api.services.campaigns.releaseCampaign(api.workspaceId, id);

    expect((await reportOf(id)).blocked).toBeNull();
    expect((await reportOf(bystander)).blocked).toContain("held");
    const again = await refusalOf(api.services.campaigns.releaseCampaign(api.workspaceId, id));
    expect(again).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("not held") });
  });

  test("whose time has passed is due at once when let go; one under way gets no schedule", async () => {
    const passed = NOW - 48 * 3_600_000;
    const [late, early, underWay] = [await heldSchedule(), await heldSchedule(), await heldSend()];
    await sql("UPDATE campaigns SET scheduled_at = ? WHERE id = ?", passed, late);
    for (const id of [late, early, underWay])
      await api.services.campaigns.releaseCampaign(api.workspaceId, id);
    expect(rowOf(api, late)).toMatchObject({ scheduled_at: passed, status: "SCHEDULED" });
    // It may have been tried already. The workspace cannot send, so it is then tried again after a minute.
    expect([NOW, NOW + 60_000]).toContain(rowOf(api, late)["next_try_at"] as number);
    expect(rowOf(api, early)).toMatchObject({ next_try_at: Date.parse(LATER), status: "SCHEDULED" });
    expect(rowOf(api, underWay)).toMatchObject({ held: 0, next_try_at: null, status: "DRAFT" });
  });

  test("is not found by the command in another workspace", async () => {
    const other = await api.services.workspaces.create("Grace's garden");
    const id = await heldSchedule();
    const refused = await refusalOf(api.services.campaigns.releaseCampaign(other.id, id));
    expect(refused).toMatchObject({ code: "NOT_FOUND" });
    expect(rowOf(api, id).held).toBe(1);
  });
});

describe("a report warns", () => {
  const LARGE = `<p>${"x".repeat(102 * 1024)}</p>`;
  test.each([
    [
      "merge tags in the body",
      { body: "<p>Dear {{ first_name }} or *|FNAME|*</p>" },
      /body .*: \{\{ first_name }}, \*\|FNAME\|\*\./,
    ],
    ["merge tags in the subject", { subject: "Hi %recipient.name%" }, /subject .*: %recipient\.name%\./],
    ["more HTML than Gmail shows", { body: LARGE }, /104 KB .* Gmail cuts/],
  ])("of %s, of a draft too", async (_, letter, warning) => {
    const { id } = await newCampaign(api, letter);
    const { warnings, ...rest } = await reportOf(id);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(rest).toEqual(NOTHING);
  });

  const mjml = (head: string, body: string): string =>
    `<mjml><mj-head>${head}</mj-head><mj-body>${body}</mj-body></mjml>`;
  const section = "<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>";
  const styles = Array.from(
    { length: 2_000 },
    (_, index) => `<mj-class name="unused-${index}" color="#ffffff" align="left" />`,
  ).join("");
  test.each([
    ["that grows when it is compiled", mjml("", section.repeat(120)), 1],
    ["that shrinks", mjml(`<mj-attributes>${styles}</mj-attributes>`, section), 0],
  ])("of MJML by the HTML that is sent, not by its source: %s", async (_, body, warned) => {
    const { id } = await newCampaign(api, { body });
    await api.call("PATCH", `/campaigns/${id}/options`, { format: "mjml" });
    const aboutSize = async () => {
      const { warnings = [] } = await reportOf(id);
      return warnings.filter((warning: string) => warning.includes("Gmail"));
    };
    // A report compiles nothing: it is read each second, and others would wait for the threads.
    expect(await aboutSize()).toEqual([]);
    expect((await api.call("POST", `/campaigns/${id}/preview`)).status).toBe(200);
    expect(await aboutSize()).toHaveLength(warned);
  });

  test("no longer once the letter is mended, and never of another workspace's", async () => {
    const { id } = await newCampaign(api, { body: "<p>{$name}</p>" });
    expect((await reportOf(id)).warnings).toHaveLength(1);
    await api.call("PATCH", `/campaigns/${id}`, { body: "<p>Hello</p>" });
    expect(await reportOf(id)).toEqual(NOTHING);
  });
});
