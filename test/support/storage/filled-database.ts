import type { Database } from "bun:sqlite";
import { callApi, startApi } from "../server/api.ts";
import { imported } from "../people/imports.ts";
import { listOf, person } from "../people/people.ts";
import { scriptedSmtp } from "../sending/scripted-smtp.ts";
import { SENDER } from "../sending/sending.ts";

/** The content of every fixture; `upgrade.test.ts` looks for it. You may add to it, but never remove anything. */
export const FILLED = {
  subscribed: ["ada@example.com", "linus@example.com"],
  bounced: "grace@example.com",
  suppressed: "mallory@example.com",
  blockedDomain: "example.org",
  list: "Readers",
  /** What readers are told of the list, since migration 0027. */
  publicList: "Once a month.",
  campaign: "First issue",
  draft: "Second issue",
  /** Who may sign in, since migration 0033. */
  person: "owner@example.com",
  form: "Join the readers",
  automation: "Welcome",
  /** Listens to everything since migration 0029; disabled, so that nothing goes out. */
  webhook: "https://example.com/hook",
  /** Of the first subscriber, since migration 0013. */
  attributes: {
    city: "Zürich",
    CITY: "ÉCOLE",
    age: 36,
    weight: 0.5,
    customer: true,
    colours: ["red", "GRÜN"],
  },
} as const;

/** A small database with something of everything that the service does, passed to `read`. */
export async function filledDatabase<T>(read: (sqlite: Database) => T): Promise<T> {
  const relay = scriptedSmtp({
    on: { RCPT: ({ rcptTo }) => (rcptTo.at(-1) === FILLED.bounced ? "550 5.1.1 No such user" : undefined) },
  });
  const api = await startApi({ smtpUrl: relay.url });
  try {
    const { services, workspaceId } = api;
    await services.workspaces.changeSettings(workspaceId, SENDER);
    await fill(api);
    return read(services.database.sqlite);
  } finally {
    await api.stop();
    relay.stop();
  }
}

async function fill(api: Awaited<ReturnType<typeof startApi>>): Promise<void> {
  const post = async (path: string, body?: unknown) => {
    const answer = await api.call("POST", path, body);
    if (answer.status > 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  const webhook = await post("/webhooks", { url: FILLED.webhook, events: ["*"] });
  const people = [];
  for (const email of [...FILLED.subscribed, FILLED.bounced])
    people.push(await person(api, email, { firstName: email.split("@")[0], tags: ["early", "x;y"] }));
  await person(api, FILLED.subscribed[0], { tags: ["early", "x;y"], attributes: FILLED.attributes });
  await person(api, "margaret@example.com", { status: "UNSUBSCRIBED" });
  await imported(api, "email,status\nno address,SUBSCRIBED\n");
  const listId = await listOf(
    api,
    FILLED.list,
    people.map(({ id }) => id),
  );
  await api.call("PATCH", `/lists/${listId}/options`, { public: true, description: FILLED.publicList });
  await api.services.suppressions.add(api.workspaceId, FILLED.suppressed, "MANUAL");
  await api.services.suppressions.blockDomain(api.workspaceId, FILLED.blockedDomain);
  const html = '<p>Hello. <a href="https://example.com/">Read on</a>.</p>';
  const campaign = await post("/campaigns", { name: FILLED.campaign, subject: "One", body: html, listId });
  await post(`/campaigns/${campaign.id}/send`);
  const draft = await post("/campaigns", { name: FILLED.draft, subject: "Two", body: html, listId });
  const rules = { field: "tag", op: "equals", value: "early" };
  const segment = await post("/segments", { name: "Early readers", rules });
  await api.call("PATCH", `/campaigns/${draft.id}/options`, {
    segmentId: segment.id,
    preheader: "Two of many",
    text: "Hello.\n",
  });
  await post(`/campaigns/${draft.id}/schedule`, { scheduledAt: "2099-01-01T00:00:00Z" });
  const automation = await post("/automations", { name: FILLED.automation });
  await api.call("PATCH", `/automations/${automation.id}`, { flowJson: WELCOME, status: "LIVE" });
  const form = await post("/forms", { name: FILLED.form, listId });
  await callApi(`${api.url}/api/forms/${form.id}/submit`, "POST", "", { email: "barbara@example.com" });
  const enrolled = `/automations/${automation.id}/enrollments?status=ACTIVE`;
  const active = async (): Promise<number> => (await api.call("GET", enrolled)).body.pagination.total;
  while ((await active()) === 0);
  await api.call("PATCH", `/webhooks/${webhook.id}`, { enabled: false });
  await post("/send", { to: "ada@example.com", subject: "Receipt", text: "Thank you.", tags: ["receipt"] });
  await api.services.users.add(api.workspaceId, FILLED.person, "owner", "seven quiet lamps");
  await post("/events", { name: "purchase", email: "ada@example.com", properties: { plan: "pro" } });
}

/** People who submit the form wait in it. */
const WELCOME = {
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
    { id: "day", type: "wait", data: { amount: 1, unit: "days" } },
    {
      id: "letter",
      type: "action",
      data: { action: "send_email", subject: "Welcome", html: "<p>Welcome.</p>" },
    },
    { id: "out", type: "end", data: {} },
  ],
  edges: [
    { source: "in", target: "day" },
    { source: "day", target: "letter" },
    { source: "letter", target: "out" },
  ],
};
