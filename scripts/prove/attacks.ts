/** Requests made to stall a server: each of a few hundred KB to the 4 MB that a body may have, each with one key. */

/** The answer to a request; status 0 where the server closed the connection instead. */
export type Send = (
  method: string,
  path: string,
  body?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** The size of a body in bytes: a little less than the limit of a request. */
export const REQUEST_MAX = 4 * 1024 * 1024 - 1024;

/** What the attacks read of an answer. */
export type Answer = {
  readonly status: number;
  readonly body: { readonly data?: { readonly id: string }; readonly error?: { readonly message: string } };
};

/** The id of what was made. */
export function idOf({ status, body }: Answer): string {
  if (body.data === undefined) throw new Error(`${status} ${body.error?.message ?? ""}`);
  return body.data.id;
}

export type Attack = {
  readonly name: string;
  /** On a server without a relay, which captures its mail. */
  readonly isCaptured?: boolean;
  /** Returns what was answered. */
  run(send: Send, dataDir: string): Promise<string>;
};

const MESSAGE = { to: "ada@example.com", subject: "Hello", text: "Hello" };
const BODY_MAX = 512 * 1024;

/** A text of `length` characters, over and over. */
export const filled = (text: string, length: number): string => text.repeat(Math.floor(length / text.length));
const numbered = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join("");
export const listOf = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join(",");

const mjml = (inside: string): string => `<mjml><mj-body>${inside}</mj-body></mjml>`;
const column = (inside: string): string => `<mj-section><mj-column>${inside}</mj-column></mj-section>`;

export const post = (name: string, path: string, body: () => string): Attack => ({
  name,
  async run(send) {
    const { status, body: answer } = await send("POST", path, body());
    return `${status} ${(answer.error?.message ?? "").slice(0, 60)}`;
  },
});
const sends = (name: string, fields: () => object): Attack =>
  post(`/send: ${name}`, "/api/v1/send", () => JSON.stringify({ ...MESSAGE, ...fields() }));
const sendsHtml = (name: string, html: () => string): Attack =>
  sends(name, () => ({ text: undefined, html: html() }));
const sendsLiquid = (name: string, text: string, variables: () => object): Attack =>
  sends(name, () => ({ text, variables: variables() }));

const SENDS: readonly Attack[] = [
  sends("ordinary", () => ({})),
  sends("9,000 headers", () => ({
    headers: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`X-${i}`, "1"])),
  })),
  sends("MJML, 480 KB of blocks", () => ({
    text: undefined,
    mjml: mjml(filled(column("<mj-text>A few words of text</mj-text>"), 480 * 1024)),
  })),
  sends("MJML, 195 KB of conditional comments", () => ({
    text: undefined,
    mjml: mjml(column(`<mj-raw>${filled("<!--[if mso]><b>x</b><![endif]-->", 195 * 1024)}</mj-raw>`)),
  })),
  sends("MJML, unended conditional comments", () => ({
    text: undefined,
    mjml: mjml(column(`<mj-raw>${filled("<!--[if mso]>", 400 * 1024)}</mj-raw>`)),
  })),
  sends("MJML, inlined CSS", () => ({
    text: undefined,
    mjml: `<mjml><mj-head><mj-style inline="inline">${numbered(2_000, (i) => `.a${i} b i{color:red}`)}</mj-style></mj-head><mj-body>${column(`<mj-text>${filled("<b><i>x</i></b>", 100 * 1024)}</mj-text>`)}</mj-body></mjml>`,
  })),
  sendsHtml("quotations in quotations, 100 KB", () => filled("<blockquote>a ", 100 * 1024)),
  sendsHtml("quotations in quotations, 500 KB", () => filled("<blockquote>a ", 500 * 1024)),
  sendsHtml("lists in lists, 500 KB", () => filled("<ul><li>a ", 500 * 1024)),
  sendsHtml("unclosed elements, 500 KB", () => filled("<b><p>", 500 * 1024)),
  sendsHtml("tables in tables, 500 KB", () => filled("<table><tr><td>", 500 * 1024)),
  sendsHtml("one word, 500 KB", () => filled("a", 500 * 1024)),
  sendsHtml("non-ASCII, 500 KB", () => filled("é ", 250 * 1024)),
  sends("all three parts and attachments at their largest", () => ({
    html: filled("<p>word word word</p>", BODY_MAX),
    text: filled("word é ", BODY_MAX / 2),
    attachments: [{ filename: "a.bin", content: Buffer.alloc(2 * 1024 * 1024 - 4096).toString("base64") }],
  })),
  sendsLiquid(
    "Liquid, loops in loops",
    "{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}",
    () => ({}),
  ),
  sendsLiquid(
    "Liquid, filters over an array of 90,000",
    filled("{{ a | sort | uniq | reverse | join: ',' | size }}", 2_000),
    () => ({
      a: Array.from({ length: 90_000 }, (_, i) => (i * 7919) % 90_000),
    }),
  ),
  sendsLiquid(
    "Liquid, a filter that looks into 9,000 objects",
    "{% for i in (1..9999) %}{{ a | where: 'b', 'x' | size }}{% endfor %}",
    () => ({
      a: Array.from({ length: 9_000 }, (_, b) => ({ b })),
    }),
  ),
  sendsLiquid(
    "Liquid, replacing in 1 MB",
    filled("{{ a | replace: 'aab', 'x' | upcase | size }}", 2_000),
    () => ({
      a: filled("a", 1_000_000),
    }),
  ),
  sends("Liquid, 100,000 tags", () => ({ text: filled("{{a}}", BODY_MAX), variables: {} })),
  sends("variables of 3.9 MB", () => ({
    text: "Hello {{ a }}",
    variables: { a: "x", b: filled("word ", REQUEST_MAX - 4_096) },
  })),
  sends("an address of 4 MB", () => ({ to: filled("a b ", REQUEST_MAX - 4_096) })),
  sends("a subject of 4 MB", () => ({ subject: filled("😀", REQUEST_MAX / 2 - 4_096) })),
];

/** JSON that takes more work than its length suggests. */
const SHAPES: Readonly<Record<string, () => string>> = {
  "nested 2,000,000 deep": () => filled("[", REQUEST_MAX / 2) + filled("]", REQUEST_MAX / 2),
  "nested 100 deep, again and again": () =>
    `[${filled(`${filled("[", 90)}${filled("]", 90)},`, REQUEST_MAX)}1]`,
  "2,000,000 numbers": () => `[${filled("1,", REQUEST_MAX)}1]`,
  "1,400,000 empty objects": () => `[${filled("{},", REQUEST_MAX)}1]`,
  "300,000 members": () => `{${listOf(300_000, (i) => `"${i.toString(36)}":1`)}}`,
  "just below every limit": () =>
    `{"a":[${listOf(9_900, () => "{}")}],"b":{${listOf(9_900, (i) => `"${i}":1`)}},"c":[${listOf(60_000, () => "1")}]}`,
};

const shaped = (path: string, base: string, member: string): Attack[] =>
  Object.entries(SHAPES).map(([name, json]) =>
    post(`${path}: ${member} ${name}`, `/api/v1${path}`, () => `{${base}"${member}":${json()}}`),
  );

/** Makes something, and does something with it. */
const ON_OTHERS: readonly Attack[] = [
  post("/events: a name of 4 MB", "/api/v1/events", () =>
    JSON.stringify({ email: "ada@example.com", name: filled("\uFDFA", REQUEST_MAX / 3) }),
  ),
  post("/contacts: 4 MB of tags", "/api/v1/contacts", () =>
    JSON.stringify({ email: "ada@example.com", tags: filled("a,", REQUEST_MAX / 3).split(",") }),
  ),
  post("/contacts: a name of 4 MB", "/api/v1/contacts", () =>
    JSON.stringify({ email: "ada@example.com", firstName: filled("É", REQUEST_MAX / 2) }),
  ),
  post("/forms: a name of 4 MB", "/api/v1/forms", () => JSON.stringify({ name: filled("x", REQUEST_MAX) })),
  {
    name: "/lists/{id}/contacts: 50,000 ids",
    async run(send) {
      const id = idOf(await send("POST", "/api/v1/lists", '{"name":"a"}'));
      const contactIds = Array.from(
        { length: 50_000 },
        (_, i) => `ct_01kafc3q7w9h2m5xg4v8bt${String(i).padStart(4, "0")}`,
      );
      return String(
        (await send("POST", `/api/v1/lists/${id}/contacts`, JSON.stringify({ contactIds }))).status,
      );
    },
  },
  {
    name: "/campaigns: 512 KB of unclosed elements, sent",
    run: (send) => sendCampaign(send, filled("<b><p>", BODY_MAX)),
  },
  {
    name: "/campaigns: 512 KB with 12,000 links, sent",
    run: (send) =>
      sendCampaign(
        send,
        numbered(12_000, (i) => `<a href="https://example.com/${i}">x</a>`),
      ),
  },
  {
    name: "/campaigns: 10,000 addresses left out",
    run: (send) =>
      sendCampaign(send, "<p>Hello</p>", {
        excludeEmails: Array.from({ length: 10_000 }, (_, i) => `person${i}@Example.com`),
      }),
  },
  {
    name: "/automations: 250 KB of MJML in a flow, its problems",
    async run(send) {
      const id = await newFlow(send, { mjml: mjml(filled(column("<mj-text>a</mj-text>"), 240 * 1024)) });
      return String((await send("GET", `/api/v1/automations/${id}/problems`)).status);
    },
  },
  {
    name: "/automations: 250 KB of Liquid in 40 mails, its problems",
    async run(send) {
      const id = await newFlow(send, ...Array.from({ length: 40 }, () => ({ html: filled("{{a}}", 6_000) })));
      return String((await send("GET", `/api/v1/automations/${id}/problems`)).status);
    },
  },
];

async function sendCampaign(send: Send, body: string, options: object = {}): Promise<string> {
  const listId = idOf(await send("POST", "/api/v1/lists", '{"name":"Readers"}'));
  const contact = await send(
    "POST",
    "/api/v1/contacts",
    JSON.stringify({ email: `reader-${crypto.randomUUID()}@example.com` }),
  );
  await send("POST", `/api/v1/lists/${listId}/contacts`, JSON.stringify({ contactId: idOf(contact) }));
  const campaign = await send(
    "POST",
    "/api/v1/campaigns",
    JSON.stringify({ name: "a", subject: "a", body, listId }),
  );
  const { status, body: answer } = await send(
    "POST",
    `/api/v1/campaigns/${idOf(campaign)}/send`,
    JSON.stringify(options),
  );
  return `${status} ${JSON.stringify(answer.data ?? answer.error?.message).slice(0, 70)}`;
}

/** A flow that sends these mails, one after the other. Returns the automation's id. */
async function newFlow(send: Send, ...mails: readonly object[]): Promise<string> {
  const id = idOf(await send("POST", "/api/v1/automations", '{"name":"a"}'));
  const nodes = [
    { id: "start", type: "trigger", data: { trigger: "new_subscriber" } },
    ...mails.map((mail, i) => ({
      id: `mail${i}`,
      type: "action",
      data: { action: "send_email", subject: "a", ...mail },
    })),
  ];
  const edges = nodes.slice(1).map((node, i) => ({ source: nodes[i]!.id, target: node.id }));
  const changed = await send(
    "PATCH",
    `/api/v1/automations/${id}`,
    JSON.stringify({ flowJson: { nodes, edges } }),
  );
  if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
  return id;
}

export const ON_JSON: readonly Attack[] = [
  ...SENDS,
  ...shaped("/send", '"to":"ada@example.com","subject":"a","text":"{{a}}",', "variables"),
  ...shaped("/events", '"name":"a","email":"ada@example.com",', "properties"),
  ...shaped("/forms", '"name":"a",', "style"),
  ...ON_OTHERS,
];
