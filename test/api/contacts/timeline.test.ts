import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chain, live } from "../../support/automations/automations.ts";
import { listOf, person } from "../../support/people/people.ts";
import { makeAudience, makeCampaign, numberOf, send, startSending } from "../../support/sending/sending.ts";
import { startReaders, type ReadersApi } from "../../support/people/readers.ts";
import { eventually } from "../../support/common/eventually.ts";

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

const pageOf = async (id: string, query = "", key?: string) =>
  (await api.call("GET", `/contacts/${id}/timeline${query}`, undefined, key)).body;
const story = async (id: string): Promise<any[]> => (await pageOf(id, "?limit=100")).data;
const kindsOf = async (id: string): Promise<string[]> => (await story(id)).map(({ kind }) => kind);
const textsOf = async (id: string): Promise<string[]> => (await story(id)).map(({ text }) => text);

/** What happens after it has another time. */
const aMoment = (): Promise<void> => {
  const now = Date.now();
  return eventually(() => Date.now() > now);
};

describe("GET /contacts/{id}/timeline tells what happened", () => {
  test("nothing of somebody new", async () => {
    const { id } = await person(api, "new@example.com");
    expect(await pageOf(id)).toEqual({
      data: [],
      pagination: { total: 0, limit: 20, hasMore: false, nextCursor: null },
    });
  });

  test("consent, suppression and lists: newest first, each in one plain sentence with its details", async () => {
    const { id } = await person(api, "ada@example.com", { consent: "explicit" });
    await aMoment();
    const listId = await listOf(api, "Readers", [id]);
    await aMoment();
    await api.call("PATCH", `/contacts/${id}`, { consent: "declined" });
    const moments = await story(id);
    const today = new Intl.DateTimeFormat("en-GB", {
      day: "numeric",
      month: "long",
      timeZone: "UTC",
    }).format();
    expect(moments.map(({ kind, text, details }) => ({ kind, text, details }))).toEqual([
      { kind: "list", text: "Left the list Readers", details: { action: "LEFT", listId, name: "Readers" } },
      {
        kind: "suppression",
        text: `Not mailed: suppressed since ${today}, unsubscribed`,
        details: { email: "ada@example.com", reason: "UNSUBSCRIBED", source: "api" },
      },
      {
        kind: "consent",
        text: "Taken out of marketing mail, by an API call",
        details: expect.objectContaining({ action: "WITHDRAWN", source: "api", email: "ada@example.com" }),
      },
      {
        kind: "list",
        text: "Joined the list Readers",
        details: { action: "JOINED", listId, name: "Readers" },
      },
      {
        kind: "consent",
        text: "Agreed to marketing mail, by an API call",
        details: expect.objectContaining({ action: "GIVEN", source: "api" }),
      },
    ]);
    const times = moments.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test("a status that an API call set is no consent where the log has none", async () => {
    const { id } = await person(api, "status@example.com");
    await api.call("PATCH", `/contacts/${id}`, { status: "UNSUBSCRIBED" });
    expect(await kindsOf(id)).toEqual(["suppression"]);
  });

  test("a suppression that is lifted is told no more", async () => {
    const { id } = await person(api, "lifted@example.com");
    await api.services.suppressions.add(api.workspaceId, "lifted@example.com", "HARD_BOUNCE");
    expect((await textsOf(id))[0]).toMatch(/^Not mailed: suppressed since \d+ \w+, hard bounce$/);
    await api.services.suppressions.remove(api.workspaceId, "lifted@example.com");
    expect(await kindsOf(id)).toEqual([]);
  });

  test("a campaign that was delivered, opened and clicked, each once; and an opt-out by its link", async () => {
    const { campaignId, contactIds, letters } = await api.mailTo(["reader@example.com"], { name: "Hello" });
    const id = contactIds[0]!;
    const letter = letters[0]!;
    await aMoment();
    for (let i = 0; i < 3; i++) await api.visit(letter.pixel);
    await api.services.tracking.drain();
    await aMoment();
    for (let i = 0; i < 3; i++) await api.visit(letter.links[0]!);
    await api.services.tracking.drain();
    await aMoment();
    await api.visit(letter.unsubscribe, { method: "POST" });
    const moments = await story(id);
    expect(moments.map(({ text }) => text)).toEqual([
      "Left the list Readers",
      expect.stringMatching(/^Not mailed: suppressed since \d+ \w+, unsubscribed$/),
      "Taken out of marketing mail, by an unsubscribe link",
      "Campaign Hello: a link was clicked",
      "Campaign Hello was opened",
      "Campaign Hello was delivered",
      "Joined the list Readers",
    ]);
    expect(moments[5]).toMatchObject({
      kind: "delivery",
      details: { mail: "campaign", campaignId, name: "Hello", state: "SENT", reason: null },
    });
    expect(moments[4]).toMatchObject({
      kind: "opened",
      details: { mail: "campaign", campaignId, name: "Hello" },
    });
  });

  test("machines' hits are not the person's", async () => {
    const { contactIds, letters } = await api.mailTo(["scanned@example.com"]);
    await api.visit(letters[0]!.pixel, { method: "HEAD" });
    await api.visit(letters[0]!.links[0]!, { method: "HEAD" });
    await api.services.tracking.drain();
    expect(await kindsOf(contactIds[0]!)).toEqual(["delivery", "list"]);
  });

  test("a refused address is a bounce, with the relay's own words; who was skipped is told why", async () => {
    const sending = await startSending({ RCPT: () => "550 5.1.1 No such user" });
    const { listId, contactIds } = await makeAudience(sending, ["gone@example.com", "skipped@example.com"]);
    const campaign = await makeCampaign(sending, listId, { name: "Hello" });
    await send(sending, campaign, { excludeEmails: ["skipped@example.com"] });
    const [gone, skipped] = await Promise.all(
      contactIds.map(async (id) => (await sending.call("GET", `/contacts/${id}/timeline`)).body.data),
    );
    expect(gone.find(({ kind }: { kind: string }) => kind === "bounce")).toMatchObject({
      text: "Campaign Hello bounced: 550 5.1.1 No such user",
      details: { mail: "campaign", campaignId: campaign, smtpReply: "550 5.1.1 No such user" },
    });
    expect(gone.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      "bounce",
      "consent",
      "list",
      "list",
      "suppression",
    ]);
    expect(skipped).toMatchObject([
      {
        kind: "delivery",
        text: "Campaign Hello was not sent: excluded from this send",
        details: { state: "SKIPPED" },
      },
      { kind: "list" },
    ]);
    await sending.stop();
  });

  test("a deleted campaign and a deleted list leave no wrong names", async () => {
    const { campaignId, listId, contactIds } = await api.mailTo(["later@example.com"], { name: "Gone" });
    await api.call("DELETE", `/lists/${listId}`);
    await api.call("DELETE", `/campaigns/${campaignId}`);
    expect(await story(contactIds[0]!)).toMatchObject([
      { text: "A campaign that is deleted now was delivered", details: { campaignId, name: null } },
    ]);
  });

  test("events, with their amount and properties", async () => {
    const { id } = await person(api, "buyer@example.com");
    const record = async (body: object) =>
      (await aMoment(), await api.call("POST", "/events", { contactId: id, ...body })).body.data.id as string;
    const looked = await record({ name: "looked", properties: { page: "/" } });
    const paid = await record({ name: "order placed", value: 19.9, currency: "eur" });
    const refunded = await record({ name: "refunded", valueCents: -5 });
    expect(await story(id)).toMatchObject([
      { id: refunded, kind: "event", text: "Event refunded was recorded: -0.05" },
      {
        id: paid,
        text: "Event order_placed was recorded: 19.90 EUR",
        details: { valueCents: 1990, currency: "EUR" },
      },
      {
        id: looked,
        text: "Event looked was recorded",
        details: { name: "looked", properties: { page: "/" } },
      },
    ]);
  });

  test("entering an automation and how it ended; a transactional message", async () => {
    const { id } = await person(api, "enrolled@example.com", { status: "PENDING" });
    const automation = await live(
      api,
      chain({ trigger: "custom_event", eventName: "begin" }, ["out", "end"]),
    );
    await api.call("POST", "/events", { contactId: id, name: "begin" });
    const ended = () =>
      numberOf(api, "SELECT count(*) AS n FROM enrollments WHERE status = 'COMPLETED'") === 1;
    await eventually(ended);
    await aMoment();
    await api.call("POST", "/send", { to: "enrolled@example.com", subject: "Receipt", text: "Thanks" });
    expect(await textsOf(id)).toEqual([
      "A transactional message was delivered",
      "Completed automation Welcome",
      "Entered automation Welcome",
      "Event begin was recorded",
    ]);
    expect((await story(id))[1]).toMatchObject({
      details: { action: "COMPLETED", automationId: automation, error: null },
    });
  });

  test("is of its workspace: another key finds nobody, byte for byte as for a missing contact", async () => {
    const { id } = await person(api, "mine@example.com");
    const other = await api.services.workspaces.create("Neighbours");
    const answer = await api.call("GET", `/contacts/${id}/timeline`, undefined, other.key);
    const missing = await api.call("GET", "/contacts/ct_nobody/timeline", undefined, other.key);
    expect([answer.status, JSON.stringify(answer.body).replace(id, "ct_nobody")]).toEqual([
      404,
      JSON.stringify(missing.body),
    ]);
  });

  test("follows the person to a new address, and goes with them", async () => {
    const { id } = await person(api, "moving@example.com", { consent: "explicit" });
    await api.call("PATCH", `/contacts/${id}`, { email: "moved@example.com" });
    expect(await kindsOf(id)).toEqual(["consent"]);
    await listOf(api, "Left", [id]).then((list) => api.call("DELETE", `/lists/${list}/contacts/${id}`));
    await api.call("DELETE", `/contacts/${id}`);
    expect((await api.call("GET", `/contacts/${id}/timeline`)).status).toBe(404);
    const again = await person(api, "moved@example.com");
    expect(await kindsOf(again.id)).toEqual([]);
  });
});
