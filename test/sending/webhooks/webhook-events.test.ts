/** Everything that webhooks are told of, by every way in which it can happen (docs/contract.md "Webhooks"). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { apiDocument } from "#app/http.ts";
import { EVENT_TYPES } from "#webhooks/event-type.ts";
import { BASE_URL, callApi } from "../../support/server/api.ts";
import { chain, live } from "../../support/automations/automations.ts";
import { documentCheck } from "../../support/document/document-check.ts";
import { imported } from "../../support/people/imports.ts";
import { listOf, person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import {
  headerOf,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";
import { allDelivered, listen, type Listening, type Message } from "../../support/webhooks/webhooks.ts";
import { webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";

const { fits } = documentCheck(apiDocument(BASE_URL));
const MESSAGE = "/webhooks/eventMessage/post/requestBody/content/application~1json/schema";

let api: SendingApi;
let target: WebhookTarget;
let hook: Listening;
beforeEach(async () => {
  target = webhookTarget();
  api = await startSending({
    RCPT: ({ rcptTo }) => {
      if (rcptTo.at(-1) === "grace@example.com") return "550 5.1.1 No such user";
      return rcptTo.at(-1) === "alan@example.com" ? "550 5.7.1 Message refused" : undefined;
    },
  });
  hook = await listen(api, target);
});
afterEach(async () => {
  await api.stop();
  target.stop();
});

/** What arrives of what `work` does: nothing more, nothing less. The order between messages is not promised. */
async function told(work: () => Promise<unknown>): Promise<Message[]> {
  await allDelivered(api, hook);
  const before = target.received.length;
  await work();
  await allDelivered(api, hook);
  const messages = hook.messages().slice(before);
  for (const message of messages) expect([message, fits(MESSAGE, message)]).toEqual([message, true]);
  return messages.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
const typesTold = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await told(work)).map(({ type }) => type);
const contactOf = async (id: string) => (await api.call("GET", `/contacts/${id}`)).body.data;

describe("contacts", () => {
  test("a new SUBSCRIBED one is both created and subscribed, and is shown as the API shows it", async () => {
    let id = "";
    const messages = await told(async () => {
      id = (
        await person(api, "ada@example.com", { firstName: "Ada", tags: ["vip"], attributes: { age: 36 } })
      ).id;
    });
    const contact = await contactOf(id);
    expect(messages).toEqual([
      { type: "contact.created", timestamp: contact.createdAt, data: { contact } },
      { type: "contact.subscribed", timestamp: contact.createdAt, data: { contact } },
    ]);
  });

  const change = (id: string, body: object) => () => api.call("PATCH", `/contacts/${id}`, body);

  test("by API: each change that changes something, and what became of the status", async () => {
    const { id } = await person(api, "ada@example.com", { status: "PENDING" });
    const table: [object, string[]][] = [
      [{ firstName: "Ada" }, ["contact.updated"]],
      [{ firstName: "Ada" }, []],
      [{ attributes: { age: 36 } }, ["contact.updated"]],
      [{ attributes: { age: 36 } }, []],
      [{ status: "SUBSCRIBED" }, ["contact.subscribed", "contact.updated"]],
      [{ consent: "declined" }, ["contact.unsubscribed", "contact.updated"]],
      [{ consent: "declined" }, []],
      [{ status: "SUBSCRIBED", consent: "explicit" }, ["contact.subscribed", "contact.updated"]],
      [{ status: "BOUNCED" }, ["contact.updated"]],
      [{ nonsense: true }, []],
    ];
    for (const [body, types] of table)
      expect([body, await typesTold(change(id, body))]).toEqual([body, types]);
    const [{ data }] = (await told(change(id, { lastName: "Lovelace" }))) as [Message];
    expect(data).toEqual({ contact: await contactOf(id) });
    const [deleted] = await told(() => api.call("DELETE", `/contacts/${id}`));
    expect(deleted).toMatchObject({
      type: "contact.deleted",
      data: { contact: { id, lastName: "Lovelace" } },
    });
  });

  test("who is made UNSUBSCRIBED or PENDING is created only", async () => {
    for (const status of ["UNSUBSCRIBED", "PENDING", "BOUNCED"])
      expect(await typesTold(() => person(api, `${status.toLowerCase()}@example.com`, { status }))).toEqual([
        "contact.created",
      ]);
  });

  test("in bulk, by import, by an event of a stranger, by the command line's way", async () => {
    const both = ["contact.created", "contact.subscribed"];
    const bulk = {
      contacts: [{ email: "a@example.com" }, { email: "no address" }, { email: "b@example.com" }],
    };
    expect(await typesTold(() => api.call("POST", "/contacts/bulk", bulk))).toEqual(
      [...both, ...both].toSorted(),
    );
    const file = "email,firstName\nc@example.com,Cy\na@example.com,Ann\na@example.com,Ann\n";
    expect(await typesTold(() => imported(api, file, { status: "SUBSCRIBED" }))).toEqual([
      "contact.created",
      "contact.subscribed",
      "contact.updated",
    ]);
    expect(await typesTold(() => imported(api, file, { status: "SUBSCRIBED" }))).toEqual([]);
    const event = { name: "seen", email: "stranger@example.com" };
    expect(await typesTold(() => api.call("POST", "/events", event))).toEqual(["contact.created"]);
    expect(await typesTold(() => api.call("POST", "/events", event))).toEqual([]);
  });
});

describe("mail", () => {
  test("of a campaign: from its start to its end, and what people did with it", async () => {
    const people = ["ada@example.com", "grace@example.com", "alan@example.com"];
    const ids = await Promise.all(people.map(async (email) => (await person(api, email)).id as string));
    const listId = await listOf(api, "Readers", ids);
    const campaignId = await makeCampaign(api, listId);
    const messages = await told(() => send(api, campaignId));
    expect(messages.map(({ type }) => type)).toEqual([
      "campaign.finished",
      "campaign.started",
      "contact.updated",
      "email.bounced",
      "email.failed",
      "email.sent",
    ]);
    const [finished, started, updated, bounced, failed, sent] = messages as [
      Message,
      Message,
      Message,
      Message,
      Message,
      Message,
    ];
    const { data: campaign } = (await api.call("GET", `/campaigns/${campaignId}`)).body;
    expect(finished.data).toEqual({ campaign });
    expect(started.data).toEqual({ campaign: { ...campaign, status: "DRAFT", sentAt: null, stat: null } });
    expect(updated.data.contact).toMatchObject({ email: "grace@example.com", status: "BOUNCED" });
    const raw = api.relay.accepted[0]!.raw;
    const messageId = /^Message-ID: <([^>]+)>/im.exec(raw)![1]!;
    const mail = { contactId: ids[0], email: "ada@example.com", campaignId, automationId: null, messageId };
    expect(sent.data).toEqual(mail);
    const { data: rows } = (await api.call("GET", `/campaigns/${campaignId}/deliveries`)).body;
    const { reason } = rows.find(({ state }: { state: string }) => state === "BOUNCED");
    expect(bounced.data).toMatchObject({ contactId: ids[1], email: "grace@example.com", campaignId, reason });
    expect(failed.data).toMatchObject({ contactId: ids[2], email: "alan@example.com", campaignId });

    const [, open] = /src="[^"]*(\/o\/[^"]+)"/.exec(decoded(raw))!;
    const [, click] = /href="[^"]*(\/c\/[^"]+)"/.exec(decoded(raw))!;
    const [, leave] = /<https?:\/\/[^/]+(\/u\/[^>]+)>/.exec(headerOf(raw, "List-Unsubscribe")!)!;
    const get = (path: string, method = "GET") => fetch(api.url + path, { method, redirect: "manual" });
    const tracked = async (work: () => Promise<unknown>): Promise<void> => {
      await work();
      await api.services.tracking.drain();
    };
    expect(await told(() => tracked(() => get(open!)))).toMatchObject([{ type: "email.opened", data: mail }]);
    expect(await told(() => tracked(() => get(open!)))).toEqual([]);
    expect(await told(() => tracked(() => get(open!, "HEAD")))).toEqual([]);
    const url = "https://shop.example.org/new?a=1&b=2";
    expect(await told(() => tracked(() => get(click!)))).toMatchObject([
      { type: "email.clicked", data: { ...mail, url } },
    ]);
    const report = { messageId, recipient: "ada@example.com", status: "", diagnostic: "" };
    const reported = (kind: "complaint" | "hard") =>
      told(() => api.services.bounces.takeReport(api.workspaceId, { ...report, kind }, "postmark"));
    expect(await reported("complaint")).toMatchObject([
      { type: "contact.unsubscribed" },
      { type: "contact.updated" },
      { type: "email.complained", data: mail },
    ]);
    expect(await reported("complaint")).toEqual([]);
    expect(await reported("hard")).toMatchObject([
      { type: "contact.updated" },
      { type: "email.bounced", data: { ...mail, reason: "HARD" } },
    ]);
    expect(await typesTold(() => get(leave!, "POST"))).toEqual(["contact.unsubscribed", "contact.updated"]);
  });

  test("of a request has the message id that its answer has", async () => {
    let answer: any;
    const messages = await told(async () => {
      answer = await api.call("POST", "/send", { to: "ada@example.com", subject: "Receipt", text: "Thanks" });
    });
    const { messageId } = answer.body.data.recipients[0];
    const data = {
      contactId: null,
      email: "ada@example.com",
      campaignId: null,
      automationId: null,
      messageId,
    };
    expect(messages).toMatchObject([{ type: "email.sent", data }]);
  });
});

const decoded = (raw: string): string =>
  raw
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));

describe("forms and automations", () => {
  test("a form that was submitted and accepted, also by somebody who is left alone", async () => {
    const form = (await api.call("POST", "/forms", { name: "Join" })).body.data;
    const submit = (email: string) => () =>
      callApi(`${api.url}/api/forms/${form.id}/submit`, "POST", "", { email });
    const joined = await told(submit("ada@example.com"));
    const contactId = joined[0]!.data.contact.id;
    expect(joined.map(({ type }) => type)).toEqual([
      "contact.created",
      "contact.subscribed",
      "form.submitted",
    ]);
    expect(joined[2]!.data).toEqual({ formId: form.id, email: "ada@example.com", contactId });
    await api.services.suppressions.add(api.workspaceId, "mallory@example.com", "MANUAL");
    expect(await told(submit("mallory@example.com"))).toMatchObject([
      { type: "form.submitted", data: { formId: form.id, email: "mallory@example.com", contactId: null } },
    ]);
    await api.services.suppressions.add(api.workspaceId, "gone@example.com", "HARD_BOUNCE");
    expect(await told(submit("gone@example.com"))).toEqual([]);
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    expect(await told(submit("ada@blocked.example"))).toEqual([]);
  });

  test("what a step changes, how a run ended, and whose mail it was", async () => {
    const automationId = await live(
      api,
      chain(
        { trigger: "new_subscriber" },
        ["m", "action", { action: "send_email", subject: "Welcome", html: "<p>Hello</p>" }],
        ["t", "action", { action: "add_tag", tag: "welcomed" }],
        ["u", "action", { action: "unsubscribe" }],
      ),
    );
    let contactId = "";
    const messages = await told(async () => {
      contactId = (await person(api, "ada@example.com")).id;
      await eventually(() => hook.types().includes("automation.completed"));
    });
    expect(messages.map(({ type }) => type).filter((type) => type !== "email.sent")).toEqual([
      "automation.completed",
      "contact.created",
      "contact.subscribed",
      "contact.unsubscribed",
      "contact.updated",
      "contact.updated",
    ]);
    const { data: runs } = (await api.call("GET", `/automations/${automationId}/enrollments`)).body;
    expect(messages[0]!.data).toEqual({ automationId, enrollmentId: runs[0].id, contactId });
    const failing = await live(
      api,
      chain({ trigger: "tag_added", tag: "x" }, ["n", "action", { action: "?" }]),
    );
    const ended = await told(async () => {
      await api.call("PATCH", `/contacts/${contactId}`, { tags: ["x"] });
      await eventually(() => hook.types().includes("automation.failed"));
    });
    expect(ended.map(({ type }) => type)).toEqual(["automation.failed", "contact.updated"]);
    expect(ended[0]!.data).toMatchObject({ automationId: failing, contactId });
  });
});

test("who asked for some is told of those only, and a workspace of its own alone", async () => {
  const some = await listen(api, target, ["contact.subscribed"], "/some");
  const other = await api.services.workspaces.create("Other");
  await callApi(`${api.url}/api/v1/contacts`, "POST", other.key, { email: "theirs@example.com" });
  await person(api, "ada@example.com");
  await allDelivered(api, hook);
  await allDelivered(api, some);
  expect(some.messages()).toMatchObject([
    { type: "contact.subscribed", data: { contact: { email: "ada@example.com" } } },
  ]);
  expect(JSON.stringify(hook.messages())).not.toContain("theirs@example.com");
  expect(EVENT_TYPES.length).toBe(16);
});
