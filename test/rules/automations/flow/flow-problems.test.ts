import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import { INITIAL_FLOW, type Flow } from "#automations/flow/flow.ts";
import { liquidScope, MAIL_NAMES } from "#automations/mail/mail-content.ts";
import { problemsOf, type Surroundings } from "#automations/flow/problems.ts";
import {
  ADA,
  HELLO,
  NEW_SUBSCRIBER,
  NOW,
  ONE_DAY,
  ORDER,
  edges,
  flowAround,
  node,
} from "../../../support/automations/flows.ts";
import { costMs } from "../../../support/common/cpu-time.ts";

const KNOWN: Surroundings = {
  lists: new Set(["ls_news"]),
  allowPrivateWebhooks: false,
  trackOpens: true,
  trackClicks: true,
  now: NOW,
};
const VIP: JsonObject = { all: [{ field: "tag", op: "equals", value: "vip" }] };

/** A mail, some nodes one after the other, and an opt-out. */
function goodbye(...between: [string, string, JsonObject][]): Flow {
  const nodes = [
    node("in", "trigger", NEW_SUBSCRIBER),
    node("bye", "action", HELLO),
    ...between.map(([id, type, data]) => node(id, type, data)),
    node("leave", "action", { action: "unsubscribe" }),
  ];
  const arrows = nodes.slice(1).map(({ id }, i) => {
    const { id: from, type } = nodes[i]!;
    return `${from}>${id}${type === "condition" ? " true" : ""}`;
  });
  return { nodes, edges: edges(...arrows) };
}

/** `nodeId path: message` of each problem. */
const said = (flow: Flow, known: Partial<Surroundings> = {}): string[] =>
  problemsOf(flow, { ...KNOWN, ...known }).map(
    ({ nodeId, path, message }) => `${nodeId} ${path}: ${message}`,
  );

describe("a sound flow has no problem", () => {
  test.each([
    ["the flow of a new automation", INITIAL_FLOW],
    ["a mail after a day", flowAround("wait", ONE_DAY)],
    ["a condition with one branch missing", flowAround("condition", VIP)],
    [
      "a loop with a wait",
      {
        nodes: [
          node("in", "trigger", NEW_SUBSCRIBER),
          node("mail", "action", HELLO),
          node("wait", "wait", ONE_DAY),
        ],
        edges: edges("in>mail", "mail>wait", "wait>mail"),
      },
    ],
    [
      "branches that meet again",
      {
        nodes: [
          node("in", "trigger", NEW_SUBSCRIBER),
          node("if", "condition", VIP),
          node("mail", "action", HELLO),
          node("out", "end"),
        ],
        edges: edges("in>if", "if>mail true", "if>out false", "mail>out"),
      },
    ],
    ["an edge drawn twice", { ...flowAround("action", HELLO), edges: edges("in>it", "in>it", "it>out") }],
    ["an edge out of an end", { ...flowAround("action", HELLO), edges: edges("in>it", "it>out", "out>in") }],
  ])("%s", (_, flow) => {
    expect(said(flow)).toEqual([]);
  });
});

describe("a name in a mail that stays empty is a warning", () => {
  const mailOf = (subject: string, html: string): Flow =>
    flowAround("action", { action: "send_email", subject, html });

  test.each([
    ["{{ first_name }}", "Did you mean contact.firstName?"],
    ["{{ contact.first_name }}", "Did you mean contact.firstName?"],
    ["{{ subscriber.EMAIL }}", "Did you mean contact.email?"],
    ["{{ event.value_cents }}", "Did you mean event.valueCents?"],
    ["{{ contact.shoeSize }}", "Mails know contact.email, contact.firstName,"],
    ["{% if premium %}x{% endif %}", "Mails know contact.email"],
    ["{% for item in basket %}{{ item }}{% endfor %}", "Mails know contact.email"],
    ["{{ contact.firstName | append: surname }}", "Mails know contact.email"],
    ["*|FNAME|* %recipient.name%", "*|FNAME|*, %recipient.name%. Write them in Liquid"],
  ])("%p", (template, message) => {
    for (const [flow, path] of [
      [mailOf("Hello", `<p>${template}</p>`), "data.html"],
      [mailOf(template, "<p>Hello</p>"), "data.subject"],
    ] as const) {
      const found = said(flow);
      expect(found).toHaveLength(1);
      expect(found[0]).toStartWith(`it nodes[1].${path}: `);
      expect(found[0]).toContain(message);
    }
  });

  test("with its place, once for each name, in MJML too", () => {
    const mjml = "<mjml><mj-body>\n  {{ nick }} {{ nick }} {{ age }}</mj-body></mjml>";
    const found = said(flowAround("action", { action: "send_email", subject: "Hello", mjml }));
    expect(found).toHaveLength(2);
    expect(found[0]).toContain("it nodes[1].data.mjml: Nothing is filled in for `nick` in line 2, column 6");
  });

  test("but not what the mail knows, makes itself, or only finds out", () => {
    const html = `{% assign who = contact.firstName | default: "you" %}{{ who }} {{ contact["lastName"] }} {{ contact[who] }}
      {% for tag in contact.tags %}{{ forloop.index }} {{ tag }}{% endfor %} {{ contact.tags.size }} {{ contact.tags[0] }}
      {% capture text %}x{% endcapture %}{{ text }} {{ event.properties.deep.er }} {{ event.name.size }} {{ contact.status }}
      {{ event.properties["any thing"] }} {{ event.createdAt | date: "%Y" }} {{ contact }} {% if contact.email == blank %}{% endif %}
      {% comment %}{{ nobody }}{% endcomment %}<style>p { width: 100% }</style>`;
    expect(said(mailOf("Hi {{ contact.firstName }}", html))).toEqual([]);
  });

  test("also of as many as a template may hold, the first of them", () => {
    const html = Array.from({ length: 1_900 }, (_, index) => `${"x".repeat(100)}{{ none${index} }}`).join(
      "\n",
    );
    const found = said(mailOf("Hello", html));
    expect(found).toHaveLength(20);
    expect(found[19]).toContain("`none19` in line 20, column 104");
  });

  test("and what the mail knows is what it is given", () => {
    const scope = liquidScope({ contact: ADA, event: ORDER }) as Record<string, object>;
    expect(
      Object.fromEntries(Object.entries(scope).map(([of, members]) => [of, Object.keys(members)])),
    ).toEqual(MAIL_NAMES as never);
  });
});

describe("what would fail is listed with its place", () => {
  test.each([
    ["no trigger", { nodes: [], edges: [] }, ["null nodes: The flow has no trigger"]],
    [
      "no trigger before other steps",
      { nodes: [node("it", "end")], edges: [] },
      ["null nodes: The flow has no trigger", "it nodes[0].id: No way leads"],
    ],
    [
      "two triggers",
      { nodes: [node("a", "trigger", NEW_SUBSCRIBER), node("b", "trigger", NEW_SUBSCRIBER)], edges: [] },
      ["a nodes[0].type: A flow has one trigger", "b nodes[1].type: A flow has one trigger"],
    ],
    [
      "an edge to nowhere",
      { ...flowAround("action", HELLO), edges: edges("in>it", "it>ghost") },
      ['it edges[1].target: There is no step "ghost"', "out nodes[2].id: No way leads"],
    ],
    [
      "an edge from nowhere",
      { ...flowAround("action", HELLO), edges: edges("in>it", "it>out", "ghost>it") },
      ['null edges[2].source: There is no step "ghost"'],
    ],
    [
      "a step nobody comes to",
      { ...flowAround("action", HELLO), edges: edges("in>it") },
      ["out nodes[2].id: No way leads from the trigger to this step"],
    ],
    [
      "two ways on",
      { ...flowAround("action", HELLO), edges: edges("in>it", "in>out", "it>out") },
      ["in nodes[0].id: More than one edge leads on from here, to different steps"],
    ],
    [
      "two edges of one branch",
      {
        ...flowAround("condition", VIP),
        nodes: [...flowAround("condition", VIP).nodes, node("also", "end")],
        edges: edges("in>it", "it>out true", "it>also true"),
      },
      ['it nodes[1].id: The branch "true" has more than one edge'],
    ],
    [
      "an edge of no branch",
      { ...flowAround("condition", VIP), edges: edges("in>it", "it>out yes") },
      ["it edges[1].sourceHandle: An edge from a condition needs", "out nodes[2].id: No way leads"],
    ],
    [
      "a step that leads to itself",
      { ...flowAround("action", HELLO), edges: edges("in>it", "it>it") },
      ["it nodes[1].id: This step is part of a loop", "out nodes[2].id: No way leads"],
    ],
    [
      "a loop without a wait",
      { ...flowAround("condition", VIP), edges: edges("in>it", "it>out true", "it>in false") },
      [
        "in nodes[0].id: This step is part of a loop without a wait",
        "it nodes[1].id: This step is part of a loop without a wait",
      ],
    ],
    [
      "a loop that waits only until a moment",
      {
        ...flowAround("wait", { until: "2027-01-01T00:00:00Z" }),
        edges: edges("in>it", "it>in"),
        nodes: flowAround("wait", { until: "2027-01-01T00:00:00Z" }).nodes.slice(0, 2),
      },
      ["in nodes[0].id: This step is part of a loop", "it nodes[1].id: This step is part of a loop"],
    ],
    [
      "an opt-out behind a mail, with a branch and a moment that has passed between",
      goodbye(["if", "condition", VIP], ["at", "wait", { until: "2026-01-01T00:00:00Z" }]),
      [
        "at nodes[3].data.until: This moment has passed",
        'leave nodes[4].id: Whoever comes here from the step "bye" may not get its mail',
      ],
    ],
    ["an opt-out behind a mail and a wait", goodbye(["day", "wait", ONE_DAY]), []],
    [
      "an opt-out behind a mail and a moment to come",
      goodbye(["at", "wait", { until: "2027-01-01T00:00:00Z" }]),
      [],
    ],
    ["an unknown type", flowAround("teleport", {}), ['it nodes[1].type: The type "teleport" is not known']],
    ["an unknown action", flowAround("action", { action: "explode" }), ["it nodes[1].data.action: "]],
    [
      "a mail with two faults",
      flowAround("action", { action: "send_email", subject: "{{ a", html: "" }),
      [
        "it nodes[1].data.subject: The Liquid template cannot be used in line 1, column 1",
        "it nodes[1].data: The mail has no text",
      ],
    ],
    [
      "a mail of MJML as HTML",
      flowAround("action", { action: "send_email", subject: "a", html: "<mjml><mj-body></mj-body></mjml>" }),
      ["it nodes[1].data.html: `html` is MJML"],
    ],
    [
      "an unknown list",
      flowAround("action", { action: "add_to_list", listId: "ls_x" }),
      ['it nodes[1].data.listId: There is no list "ls_x"'],
    ],
    [
      "unknown lists and mails in a condition",
      flowAround("condition", {
        any: [
          { field: "list", op: "equals", value: "ls_x" },
          { field: "list", op: "equals", value: "ls_news" },
          { field: "clicked", op: "equals", value: "out" },
        ],
      }),
      [
        'it nodes[1].data.any[0].value: There is no list "ls_x"',
        'it nodes[1].data.any[2].value: The flow has no send_email step "out"',
      ],
    ],
    ["a wait of nothing", flowAround("wait", { amount: 0, unit: "days" }), ["it nodes[1].data.amount: "]],
    [
      "a wait that is over",
      flowAround("wait", { until: "2026-11-21T09:30:00Z" }),
      ["it nodes[1].data.until: This moment has passed"],
    ],
    [
      "a webhook without an address",
      flowAround("action", { action: "webhook", url: "nowhere" }),
      ["it nodes[1].data.url: The webhook's address must be like"],
    ],
    [
      "a webhook to the machine itself",
      flowAround("action", { action: "webhook", url: "http://localhost:8080/" }),
      ["it nodes[1].data.url: Webhooks go to public addresses only"],
    ],
    [
      "a webhook to a private address",
      flowAround("action", { action: "webhook", url: "http://0xa9fea9fe/" }),
      ["it nodes[1].data.url: Webhooks go to public addresses only"],
    ],
    ...["{{ event.properties.name }}", "{% if contact.tags %}Ada{% endif %}"].map((value) => [
      `a name with ${value}, which is filled in for attributes only`,
      flowAround("action", { action: "set_field", field: "firstName", value }),
      ["it nodes[1].data.value: The name is written as it stands: Liquid is filled in for attributes only."],
    ]),
    [
      "Liquid in a tag",
      flowAround("action", { action: "add_tag", tag: "{{ event.properties.plan }}" }),
      ["it nodes[1].data.tag: The tag is taken as it stands"],
    ],
    [
      "Liquid in the address of a webhook",
      flowAround("action", { action: "webhook", url: "https://shop.example.org/{{ contact.email }}" }),
      ["it nodes[1].data.url: The address is called as it stands"],
    ],
    [
      "Liquid in what a test compares with",
      flowAround("condition", { all: [{ field: "firstName", op: "equals", value: "{{ event.name }}" }] }),
      ["it nodes[1].data.all[0].value: The value is compared as it stands"],
    ],
    [
      "members of a segment's conditions, which a test has not",
      flowAround("condition", {
        any: [
          { field: "event", op: "exists", value: "order", withinDays: 3, id: "of a builder" },
          { field: "event", op: "exists", value: "order", where: [] },
          { field: "score", op: "exists", withinDays: 3 },
        ],
      }),
      [
        "it nodes[1].data.any[1].where: `where` is not looked at",
        "it nodes[1].data.any[2].withinDays: `withinDays` is looked at for events only",
      ],
    ],
    [
      "a name with a single brace",
      flowAround("action", { action: "set_field", field: "lastName", value: "{Ada} %}" }),
      [],
    ],
  ] as [string, Flow, string[]][])("%s", (_, flow, expected) => {
    const found = said(flow);
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]).toStartWith(start);
  });

  test.each([
    [{}, []],
    [{ trackOpens: false }, ["Only who clicked counts as having opened it"]],
    [{ trackClicks: false }, ["Nobody counts as having clicked"]],
    [
      { trackOpens: false, trackClicks: false },
      ["Nobody counts as having opened it", "Nobody counts as having clicked"],
    ],
  ])("a test of opens or clicks that %p leaves uncounted", (settings, expected) => {
    const asks = (field: string): JsonObject => ({ field, op: "exists", value: "mail" });
    const flow: Flow = {
      nodes: [
        node("in", "trigger", NEW_SUBSCRIBER),
        node("mail", "action", HELLO),
        node("if", "condition", { any: [asks("opened"), asks("clicked")] }),
      ],
      edges: edges("in>mail", "mail>if"),
    };
    const found = said(flow, settings);
    expect(found).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(found[i]).toContain(start);
  });

  test("a private webhook is none where they are allowed", () => {
    expect(
      said(flowAround("action", { action: "webhook", url: "http://localhost/" }), {
        allowPrivateWebhooks: true,
      }),
    ).toEqual([]);
  });

  test("the largest flow is judged in time", async () => {
    const ids = Array.from({ length: 499 }, (_, i) => `n${i}`);
    const flow: Flow = {
      nodes: [node("in", "trigger", NEW_SUBSCRIBER), ...ids.map((id) => node(id, "action", HELLO))],
      edges: edges(
        "in>n0",
        ...ids.map((id, i) => `${id}>n${(i + 1) % 499}`),
        ...ids.map((id, i) => `${id}>n${(i * 7) % 499}`),
      ),
    };
    let problems = 0;
    expect(await costMs(() => (problems = said(flow).length))).toBeLessThan(3000);
    expect(problems).toBeGreaterThan(499);
  });
});
