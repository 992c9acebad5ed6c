import { openServices, type World } from "#app/services.ts";
import { NO_PROXY } from "#commands/line/no-proxy.ts";

/** What was created, for the welcome text. */
export type Demo = { readonly people: number; readonly sent: number; readonly formId: string };

type Service = { readonly baseUrl: string; readonly key: string };

const PEOPLE = [
  ["Ada", "Lovelace", "early"],
  ["Grace", "Hopper", "early"],
  ["Linus", "Torvalds", "press"],
  ["Margaret", "Hamilton", "press"],
  ["Alan", "Turing", ""],
  ["Katherine", "Johnson", ""],
  ["Edsger", "Dijkstra", "early"],
  ["Barbara", "Liskov", ""],
] as const;

const SETTINGS = {
  name: "The Daily Rider",
  fromName: "The Daily Rider",
  fromEmail: "news@example.com",
  mailingAddress: "The Daily Rider\n1 Example Street\nSpringfield",
};

/** Uses the API like any client, so that the demonstration shows what the service really does. */
export async function fillDemo(
  service: Service,
  { dataDir, ...world }: World & { dataDir: string },
): Promise<Demo> {
  await nameWorkspace(dataDir, world);
  const call = caller(service);
  const post = <T = Made>(path: string, body: object): Promise<T> => call<T>("POST", path, body);
  const list = await post("/lists", { name: "Readers" });
  const contactIds: string[] = [];
  for (const [firstName, lastName, tag] of PEOPLE) {
    const email = `${firstName}@example.com`;
    const tags = tag === "" ? [] : [tag];
    contactIds.push((await post("/contacts", { email, firstName, lastName, tags })).id);
  }
  await post(`/lists/${list.id}/contacts`, { contactIds });
  const form = await post("/forms", {
    name: "Join the readers",
    listId: list.id,
    fields: ["firstName"],
    successMessage: "Thank you. The next issue is yours.",
  });
  // Created after the people, because it is for those who join from now on.
  const { id: automationId } = await post("/automations", { name: "Welcome" });
  await call("PATCH", `/automations/${automationId}`, { flowJson: WELCOME, status: "LIVE" });
  const campaign = await post("/campaigns", {
    name: "First issue",
    subject: "The first issue of The Daily Rider",
    body: LETTER,
    listId: list.id,
  });
  const { sent } = await post<{ sent: number }>(`/campaigns/${campaign.id}/send`, {});
  return { people: PEOPLE.length, sent, formId: form.id };
}

type Made = { readonly id: string };

async function nameWorkspace(dataDir: string, world: World): Promise<void> {
  const services = openServices(dataDir, world);
  try {
    await services.workspaces.changeSettings(await services.workspaces.pick(undefined), SETTINGS);
  } finally {
    await services.close();
  }
}

function caller({ baseUrl, key }: Service) {
  return async <T>(method: string, path: string, body: object): Promise<T> => {
    const answer = await fetch(`${baseUrl}/api/v1${path}`, {
      ...NO_PROXY,
      method,
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    const { data, error } = (await answer.json()) as { data: T; error?: { message: string } };
    if (!answer.ok)
      throw new Error(`the demonstration could not be made: ${error?.message ?? answer.status}`);
    return data;
  };
}

/** A person who joins gets a letter at once, and a tag. */
const WELCOME = {
  nodes: [
    { id: "join", type: "trigger", data: { trigger: "new_subscriber" } },
    {
      id: "letter",
      type: "action",
      data: {
        action: "send_email",
        subject: "Welcome, {{ contact.firstName | default: 'reader' }}",
        html: "<p>Good to have you here.</p>",
      },
    },
    { id: "tag", type: "action", data: { action: "add_tag", tag: "welcomed" } },
    { id: "end", type: "end", data: {} },
  ],
  edges: [
    { source: "join", target: "letter" },
    { source: "letter", target: "tag" },
    { source: "tag", target: "end" },
  ],
};

const LETTER = `<h1>Hello.</h1>
<p>This is a campaign as your readers get it: with a text version, a footer and a link to leave the list.</p>
<p><a href="https://example.com/first-issue">Read the first issue</a>: the click is counted.</p>`;
