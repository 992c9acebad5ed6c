/** A workspace in which every screen of the console has something to show, in the given words. */
import { chain, draft as draftOf, live } from "../automations/automations.ts";
import { png } from "../server/images.ts";
import { imported } from "../people/imports.ts";
import { listOf, person } from "../people/people.ts";
import { eventually } from "../common/eventually.ts";
import { send, SENDER, type SendingApi } from "../sending/sending.ts";
import type { WebhookTarget } from "../webhooks/webhook-target.ts";
import { listen } from "../webhooks/webhooks.ts";
import { countRows } from "../sending/campaigns.ts";

/** Puts a plain text into the words of this workspace, no longer than the field allows. */
export type Say = (text: string, max?: number) => string;

/** The ids that the tour of the screens needs. */
export type World = Readonly<Record<WorldPart, string>>;
export type WorldPart =
  | "list"
  | "segment"
  | "contact"
  | "html"
  | "mjml"
  | "scheduled"
  | "sent"
  | "template"
  | "form"
  | "draft"
  | "live"
  | "hook"
  | "delivery"
  | "message"
  | "bounce"
  | "import";

const PEOPLE = [
  ["Ada", "Lovelace", "early", "London"],
  ["Grace", "Hopper", "early", "New York"],
  ["Linus", "Torvalds", "press", "Portland"],
  ["Margaret", "Hamilton", "press", "Boston"],
  ["Alan", "Turing", "vip", "Wilmslow"],
  ["Katherine", "Johnson", "vip", "Hampton"],
  ["Edsger", "Dijkstra", "early", "Nuenen"],
  ["Barbara", "Liskov", "", "Cambridge"],
] as const;

const MJML = `<mjml>
  <mj-head><mj-attributes><mj-all font-family="Arial, sans-serif" /></mj-attributes></mj-head>
  <mj-body background-color="#f3f5f6">
    <mj-section background-color="#ffffff" padding="28px 24px">
      <mj-column>
        <mj-text font-size="24px" font-weight="700">What we built this month</mj-text>
        <mj-text>Hello {{ contact.firstName | default: "there" }}, the workshop was busy.</mj-text>
        <mj-button href="https://example.com/november" background-color="#0b6a73">See the pictures</mj-button>
        <mj-divider /><mj-spacer height="20px" />
        <mj-table><tr><td>Kept as it is</td></tr></mj-table>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`;

/** Fills the workspace: the first person bounces, and the webhook's receiver is gone. */
export async function fillWorld(api: SendingApi, target: WebhookTarget, say: Say): Promise<World> {
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await api.call("POST", path, body);
    if (answer.status > 202) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  await api.services.workspaces.changeSettings(api.workspaceId, {
    ...SENDER,
    name: say("The Daily Rider"),
    fromName: say("The Daily Rider"),
  });
  const contacts = await Promise.all(
    PEOPLE.map(([firstName, lastName, tag, city]) =>
      person(api, `${firstName.toLowerCase()}@example.com`, {
        firstName: say(firstName),
        lastName: say(lastName),
        tags: tag === "" ? [] : [say(tag, 60)],
        attributes: { city: say(city), plan: "pro", orders: 7, newsletter: true },
      }),
    ),
  );
  await person(api, "pending@example.net", { status: "PENDING" });
  await person(api, "left@example.net", { status: "UNSUBSCRIBED" });
  const ids = contacts.map(({ id }) => id as string);
  const list = await listOf(api, say("Readers"), ids);
  await listOf(api, say("Customers"), ids.slice(0, 3));
  await api.call("PATCH", `/lists/${list}/options`, {
    public: true,
    description: say("One letter a month."),
  });
  const rules = {
    all: [
      { field: "tag", op: "equals", value: say("early", 60) },
      { field: "attributes.city", op: "notEquals", value: say("Bern") },
      {
        any: [
          { field: "opened", op: "equals", value: "any", withinDays: 90 },
          { field: "email", op: "contains", value: "@" },
        ],
      },
    ],
  };
  const segment = (await made("/segments", { name: say("Early readers"), rules })).id;
  const template = await made("/templates", {
    name: say("Monthly letter"),
    subject: say("What we built"),
    format: "mjml",
    body: MJML,
  });
  const { html, ...campaigns } = await campaignsOf(api, made, say, { list, segment });
  const form = await made("/forms", {
    name: say("Join the readers"),
    listId: list,
    fields: ["firstName", "city"],
    successMessage: say("Thank you. The next issue is yours."),
  });
  await uploadImage(api, say("looms", 60));
  const automations = await automationsOf(api, say, list);
  const hook = await goneWebhook(api, target, say);
  const { id: file } = await imported(
    api,
    `email,firstName,status\nx1@example.org,Kim,SUBSCRIBED\nx2@example.org,Lee,"${say("maybe").replaceAll('"', '""')}"\nnobody,X,\n`,
  );
  const mails = await singleMails(api, made, say);
  await made("/suppressions", { email: "gone@example.net", reason: "HARD_BOUNCE" });
  await made("/blocked-domains", { domain: "spamtrap.example" });
  await made("/scoring-rules", { event: say("purchase", 60), points: 10 });
  await made("/keys", { name: say("Shop") });
  return {
    list,
    segment,
    contact: ids[0] ?? "",
    html,
    ...campaigns,
    template: template.id,
    form: form.id,
    ...automations,
    ...hook,
    ...mails,
    import: file,
  };
}

type Make = (path: string, body: object) => Promise<any>;

async function campaignsOf(
  api: SendingApi,
  made: Make,
  say: Say,
  { list, segment }: { readonly list: string; readonly segment: string },
) {
  const campaign = async (name: string, body: string, options: object = {}): Promise<string> => {
    const { id } = await made("/campaigns", { name: say(name), subject: say(name), body, listId: list });
    const answer = await api.call("PATCH", `/campaigns/${id}/options`, {
      fromName: say("The Daily Rider"),
      preheader: say("Two looms, a shawl, and tea on Saturday"),
      ...options,
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return id;
  };
  const letter = `<h1>Hello</h1><p>Read <a href="https://example.com/issue">the issue</a>, or <a href="https://example.com/shop">shop</a>.</p>`;
  const sent = await campaign("First issue", letter);
  await send(api, sent);
  const html = await campaign("A letter in HTML", letter, { segmentId: segment });
  const mjml = await campaign("November letter", MJML, {
    format: "mjml",
    personalize: true,
    excludeSegmentIds: [segment],
  });
  const scheduled = await campaign("Before the holidays", letter);
  await made(`/campaigns/${scheduled}/schedule`, {
    scheduledAt: new Date(Date.now() + 20 * 86_400_000).toISOString(),
  });
  return { sent, html, mjml, scheduled };
}

async function automationsOf(api: SendingApi, say: Say, listId: string) {
  const mail = { action: "send_email", subject: say("Welcome"), html: "<p>Good to have you here.</p>" };
  const flow = chain(
    { trigger: "new_subscriber" },
    ["mail", "action", mail],
    ["pause", "wait", { amount: 2, unit: "days" }],
    [
      "asked",
      "condition",
      {
        any: [
          { field: "opened", op: "exists", value: "mail" },
          { field: "tag", op: "equals", value: say("vip", 60) },
        ],
      },
    ],
    ["tag", "action", { action: "add_tag", tag: say("reader", 60) }],
    ["list", "action", { action: "add_to_list", listId }],
    ["field", "action", { action: "set_field", field: "attributes.plan", value: say("pro") }],
    ["call", "action", { action: "webhook", url: "https://example.com/hook" }],
    ["memo", "sticky-note", { text: say("ask Ada") }],
    ["out", "end"],
  );
  const edges = flow.edges.map((edge: any) =>
    edge.source === "asked" ? { ...edge, sourceHandle: "true" } : edge,
  );
  const draft = await draftOf(api, { ...flow, edges }, say("Welcome, with a reminder"));
  const walked = await live(
    api,
    chain(
      { trigger: "tag_added", tag: "walks" },
      ["pause", "wait", { amount: 2, unit: "days" }],
      ["end", "end"],
    ),
    say("After the first order"),
  );
  await person(api, "walker@example.com", { tags: ["walks"] });
  await eventually(() => countRows(api, "enrollments") > 0);
  return { draft, live: walked };
}

/** A message that a program sent, and a mail about a failed one that only a person can read. */
async function singleMails(api: SendingApi, made: Make, say: Say) {
  await made("/send", {
    to: "grace@example.com",
    subject: say("Your receipt"),
    text: say("Thank you."),
    tags: [say("receipt", 60)],
  });
  const raw = `From: postmaster@elsewhere.example\r\nSubject: ${say("Not delivered")}\r\n\r\n${say("Somebody moved away.")}\r\n`;
  const envelope = { way: "mailbox", envelopeRecipients: [], workspaceIds: [api.workspaceId] } as const;
  await api.services.bounces.takeMail({ raw: Buffer.from(raw), ...envelope });
  const bounces = await api.call("GET", "/bounces");
  const messages = await api.call("GET", "/messages");
  return { message: messages.body.data[0].id as string, bounce: bounces.body.data[0].id as string };
}

async function uploadImage(api: SendingApi, name: string): Promise<void> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(png(600, 200))], { type: "image/png" }), `${name}.png`);
  await fetch(`${api.url}/api/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.key}` },
    body: form,
  });
}

/** A webhook that answers that it is gone: one delivery is given up, and the webhook is switched off. */
export async function goneWebhook(api: SendingApi, target: WebhookTarget, say: Say) {
  target.answers = [() => new Response(say("It is gone."), { status: 410 })];
  const hook = await listen(api, target, ["*"], `/hook/${encodeURIComponent(say("shop"))}`);
  await api.call("POST", `/webhooks/${hook.id}/test`);
  let failed: any;
  await eventually(async () => {
    failed = (await hook.deliveries()).find(({ state }) => state === "FAILED");
    return failed !== undefined;
  });
  return { hook: hook.id, delivery: failed.id as string };
}
