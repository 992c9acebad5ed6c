/** Webhooks are told of what readers do themselves, by each way that they have (docs/contract.md "Webhooks"). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { listOf, person } from "../../support/people/people.ts";
import { encoded, makePublic, type Form } from "../../support/people/preferences.ts";
import { BOUNCE_DOMAIN, overSmtp, plainMail } from "../../support/inbound/reports.ts";
import { headerOf, makeCampaign, send } from "../../support/sending/sending.ts";
import { allDelivered, listen, type Listening } from "../../support/webhooks/webhooks.ts";
import { webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";

let api: FormsApi;
let target: WebhookTarget;
let hook: Listening;
beforeEach(async () => {
  target = webhookTarget();
  api = await startForms({ doubleOptIn: true, bounceDomain: BOUNCE_DOMAIN }, { inboundSmtp: true });
  hook = await listen(api, target, [
    "contact.created",
    "contact.updated",
    "contact.subscribed",
    "contact.unsubscribed",
    "form.submitted",
  ]);
});
afterEach(async () => {
  await api.stop();
  target.stop();
});

/** Type and status of what arrives of what `work` does: nothing more, nothing less. */
async function told(work: () => Promise<unknown>): Promise<string[]> {
  await allDelivered(api, hook);
  const before = target.received.length;
  await work();
  await allDelivered(api, hook);
  return hook
    .messages()
    .slice(before)
    .map(({ type, data }) => (data.contact === undefined ? type : `${type} ${data.contact.status}`))
    .toSorted();
}

test("by the form, and the confirmation of its mail: subscribed only then, and once", async () => {
  const form = await newForm(api);
  const email = "ada@example.com";
  expect(await told(() => api.submit(form.id, { email }))).toEqual([
    "contact.created PENDING",
    "form.submitted",
  ]);
  const [link = ""] = await api.confirmLinks(email);
  expect(await told(() => fetch(api.url + link))).toEqual([]);
  expect(await told(() => fetch(api.url + link, { method: "POST" }))).toEqual([
    "contact.subscribed SUBSCRIBED",
    "contact.updated SUBSCRIBED",
  ]);
  expect(await told(() => fetch(api.url + link, { method: "POST" }))).toEqual([]);
});

/** Somebody who was mailed: their preferences page, and the mailbox that their mail names for leaving. */
async function reader(email: string) {
  const { id } = await person(api, email);
  const campaignId = await makeCampaign(api, await listOf(api, "Readers", [id]));
  const before = api.relay.accepted.length;
  await send(api, campaignId);
  const field = headerOf(api.relay.accepted[before]?.raw ?? "", "List-Unsubscribe") ?? "";
  const [, token = ""] = /\/u\/([\w-]+)/.exec(field) ?? [];
  const [, mailbox = ""] = /<mailto:([^?>]+)/.exec(field) ?? [];
  const choose = (form: Form) => () =>
    fetch(`${api.url}/p/${token}`, { method: "POST", body: encoded(form) });
  return { mailbox, choose };
}

const LEFT = ["contact.unsubscribed UNSUBSCRIBED", "contact.updated UNSUBSCRIBED"];

test("by the preferences page: a name is news, a list alone is none, and leaving everything is told once", async () => {
  const news = await listOf(api, "News");
  await makePublic(api, news);
  const { choose } = await reader("grace@example.com");
  expect(await told(choose({ firstName: "Grace", lastName: "" }))).toEqual(["contact.updated SUBSCRIBED"]);
  expect(await told(choose({ firstName: "Grace", lastName: "" }))).toEqual([]);
  expect(await told(choose({ lists: [news], firstName: "Grace", lastName: "" }))).toEqual([]);
  expect(await told(choose({ leave: "everything" }))).toEqual(LEFT);
  expect(await told(choose({ leave: "everything" }))).toEqual([]);
});

test("by a mail to the address that List-Unsubscribe names, once", async () => {
  const { mailbox } = await reader("linus@example.com");
  const leave = () => overSmtp(api, plainMail("unsubscribe", ""), mailbox);
  expect(await told(leave)).toEqual(LEFT);
  expect(await told(leave)).toEqual([]);
});
