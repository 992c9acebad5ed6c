/** Webhooks are told whose mail it was when an automation sent it (docs/contract.md "Webhooks"). */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chain, live } from "../../support/automations/automations.ts";
import { person } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";
import { allDelivered, listen, type Listening } from "../../support/webhooks/webhooks.ts";
import { webhookTarget, type WebhookTarget } from "../../support/webhooks/webhook-target.ts";

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
  hook = await listen(api, target, [
    "email.sent",
    "email.opened",
    "email.clicked",
    "email.bounced",
    "email.failed",
  ]);
});
afterEach(async () => {
  await api.stop();
  target.stop();
});

const html = `<p>Hello</p><a href="https://shop.example.org/new">New</a>`;

test("mail of an automation names the automation and the person, whatever became of it", async () => {
  const automationId = await live(
    api,
    chain({ trigger: "new_subscriber" }, ["m", "action", { action: "send_email", subject: "Welcome", html }]),
  );
  const ids = new Map<string, string>();
  for (const name of ["ada", "grace", "alan"]) ids.set(name, (await person(api, `${name}@example.com`)).id);
  await eventually(() => hook.types().length === 3);

  const [{ raw } = { raw: "" }] = api.relay.accepted;
  const written = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [open, click] = [/src="[^"]*(\/o\/[^"]+)"/, /href="[^"]*(\/c\/[^"]+)"/].map(
    (path) => path.exec(written)?.[1] ?? "",
  );
  for (const path of [open, click]) {
    await fetch(`${api.url}${path}`, { redirect: "manual" });
    await api.services.tracking.drain();
  }
  await allDelivered(api, hook);
  const mailTo = (name: string) => ({
    contactId: ids.get(name),
    email: `${name}@example.com`,
    campaignId: null,
    automationId,
    messageId: expect.stringMatching(/^[^<>@\s]+@[^<>@\s]+$/),
  });
  const told = hook.messages().toSorted((a, b) => (a.type < b.type ? -1 : 1));
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ["email.bounced", { ...mailTo("grace"), reason: expect.any(String) }],
    ["email.clicked", { ...mailTo("ada"), url: "https://shop.example.org/new" }],
    ["email.failed", mailTo("alan")],
    ["email.opened", mailTo("ada")],
    ["email.sent", mailTo("ada")],
  ]);
  const messageIds = new Set(
    told.filter(({ data }) => data.email === "ada@example.com").map(({ data }) => data.messageId),
  );
  expect([...messageIds]).toEqual([/^Message-ID: <([^>]+)>/im.exec(raw)?.[1]]);
});
