import { Type, type TObject, type TProperties, type TSchema } from "@sinclair/typebox";
import { ATTRIBUTE_NAME } from "#attributes/attribute.ts";
import { oneOf } from "#http/envelope.ts";
import { ATTRIBUTE_OPS } from "#segments/value-input.ts";
import type { ActionName } from "./flow-step.ts";

/**
 * How the API document describes a flow (docs/decisions.md "Automations"). These schemas check nothing:
 * `flow-input.ts` accepts every flow of the right shape, and `problems.ts` says what in it would fail. That
 * is why the list of known nodes ends with a node that may be anything.
 */

/** A builder's own members are kept in every part of a flow. */
const part = ($id: string, description: string, members: TProperties): TObject =>
  Type.Object(members, { $id, description, additionalProperties: true });

const nodeId = (description: string) => Type.String({ description, examples: ["hello"] });

const node = ($id: string, type: string, data: TSchema, description: string): TObject =>
  part($id, description, {
    id: nodeId("Unique in the flow."),
    type: Type.Literal(type, { description: "What kind of node it is." }),
    data,
  });

const reenroll = Type.Optional(
  oneOf(
    "Reenroll",
    ["once", "each_time"],
    "Whether who has been in before may enter again. Default: `once` for new subscribers, else `each_time`.",
  ),
);

const newSubscriber = part("NewSubscriberTrigger", "Somebody becomes SUBSCRIBED.", {
  trigger: Type.Literal("new_subscriber", { description: "Which trigger it is." }),
  reenroll,
});
const tagAdded = part("TagAddedTrigger", "A contact gains a tag.", {
  trigger: Type.Literal("tag_added", { description: "Which trigger it is." }),
  tag: Type.String({ description: "Exactly this tag.", examples: ["beta"] }),
  reenroll,
});
const customEvent = part("CustomEventTrigger", "An event is recorded.", {
  trigger: Type.Literal("custom_event", { description: "Which trigger it is." }),
  eventName: Type.String({ description: "Normalized like the names of events.", examples: ["order_placed"] }),
  reenroll,
});
const triggerData = Type.Union([newSubscriber, tagAdded, customEvent], {
  $id: "TriggerData",
  description: "What lets contacts in.",
});

const waitFor = part("WaitFor", "A span of time.", {
  amount: Type.Integer({ minimum: 1, description: "How many.", examples: [2] }),
  unit: oneOf(
    "WaitUnit",
    ["minutes", "hours", "days", "weeks"],
    "Days and weeks follow the workspace's calendar.",
  ),
});
const waitUntil = part("WaitUntil", "An instant.", {
  until: Type.String({
    format: "date-time",
    description: "ISO 8601 date and time; one that has passed waits for nothing.",
    examples: ["2026-12-01T09:00:00Z"],
  }),
});
const waitData = Type.Union([waitFor, waitUntil], {
  $id: "WaitData",
  description: "How long the contact stays here.",
});

const conditionTest = part("ConditionTest", "One line of a condition.", {
  field: Type.String({
    description:
      "`status`, `email`, `firstName`, `lastName`, `attributes.<name>`, `tag`, `list` (its id), `score`, `event` (its name), `opened` or `clicked` (the " +
      "node of the mail), or `trigger.<path>`: a property of the event that started the run.",
    examples: ["tag"],
  }),
  op: oneOf(
    "ConditionOp",
    ATTRIBUTE_OPS,
    "How the field is compared. Text compares without case, tags exactly. An attribute has the ops of segments.",
  ),
  value: Type.Optional(
    Type.Unknown({ description: "What it is compared with; `exists` needs none.", examples: ["beta"] }),
  ),
  withinDays: Type.Optional(
    Type.Number({ description: "For `event`: only this many days back.", examples: [30] }),
  ),
});
const tests = (description: string) =>
  Type.Array(conditionTest, {
    minItems: 1,
    description,
    examples: [[{ field: "tag", op: "equals", value: "beta" }]],
  });
const conditionData = Type.Union(
  [
    part("AllTests", "Every test has to hold.", { all: tests("The tests, at most 50.") }),
    part("AnyTest", "One test has to hold.", { any: tests("The tests, at most 50.") }),
  ],
  { $id: "ConditionData", description: "The tests, and how many of them have to hold." },
);

function action(
  $id: string,
  names: readonly ActionName[],
  description: string,
  members: TProperties,
): TObject {
  const [only, ...others] = names;
  const says = { description: "Which action it is." };
  return part($id, description, {
    action:
      only !== undefined && others.length === 0
        ? Type.Literal(only, says)
        : Type.String({ enum: [...names], ...says }),
    ...members,
  });
}
const mailText = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));

const tagAction = action(
  "TagAction",
  ["add_tag", "remove_tag"],
  "Adds a tag to the contact, or takes it off.",
  {
    tag: Type.String({ description: "The tag.", examples: ["welcomed"] }),
  },
);
const listAction = action(
  "ListAction",
  ["add_to_list", "remove_from_list"],
  "Puts the contact on a list, or takes them off.",
  {
    listId: Type.String({ description: "The list's id.", examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
  },
);
const actions: Readonly<Record<ActionName, TObject>> = {
  send_email: action(
    "SendEmailAction",
    ["send_email"],
    "Mails the contact, if SUBSCRIBED. Liquid is filled in.",
    {
      subject: Type.String({ description: "One line.", examples: ["Welcome, {{ contact.firstName }}"] }),
      html: mailText("The HTML. One of `html` and `mjml`.", "<p>Hello {{ contact.firstName }}</p>"),
      mjml: mailText("MJML, compiled to the HTML.", "<mjml><mj-body>…</mj-body></mjml>"),
    },
  ),
  add_tag: tagAction,
  remove_tag: tagAction,
  add_to_list: listAction,
  remove_from_list: listAction,
  set_field: action("SetFieldAction", ["set_field"], "Writes a name or an attribute of the contact.", {
    field: Type.String({
      pattern: `^(firstName|lastName|attributes\\.${ATTRIBUTE_NAME})$`,
      description: "`firstName`, `lastName` or `attributes.<name>`.",
      examples: ["attributes.city"],
    }),
    value: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())], {
        description:
          "Empty or left out: clears it. A name is a text. An attribute can be any of these; in a text, Liquid is filled in.",
        examples: ["{{ event.properties.city }}"],
      }),
    ),
  }),
  unsubscribe: action("UnsubscribeAction", ["unsubscribe"], "Opts the contact out.", {}),
  webhook: action("WebhookAction", ["webhook"], "Posts a signed message to an address of yours.", {
    url: Type.String({
      format: "uri",
      description: "Where to. A public address, unless the workspace allows others.",
      examples: ["https://example.com/hooks/postrider"],
    }),
  }),
};
const actionData = Type.Union([...new Set(Object.values(actions))], {
  $id: "ActionData",
  description: "What is done to the contact.",
});

const endData = part("EndData", "Nothing is read of it.", {});

/** The last schema fits every node of the right shape. */
const flowNode = Type.Union(
  [
    node("TriggerNode", "trigger", triggerData, "Where contacts enter."),
    node("WaitNode", "wait", waitData, "Where contacts wait."),
    node(
      "ConditionNode",
      "condition",
      conditionData,
      "Where the way parts: edges `true` and `false` lead on.",
    ),
    node("ActionNode", "action", actionData, "Where something is done."),
    node("EndNode", "end", endData, "Where the run is COMPLETED."),
    part("OtherNode", "What a builder keeps beside: saved and returned, but a run that comes here FAILS.", {
      id: nodeId("Unique in the flow."),
      type: Type.String({ description: "A type of your own.", examples: ["note"] }),
      data: part("OtherData", "Anything.", {}),
    }),
  ],
  { $id: "FlowNode", description: "One step of a flow, by its `type`." },
);

const flowEdge = part("FlowEdge", "Where a contact goes from a node.", {
  source: nodeId("The node it leads away from."),
  target: nodeId("The node it leads to."),
  // Builders may store any text here; only two texts have a meaning.
  sourceHandle: Type.Optional(
    Type.Unknown({ description: '`"true"` or `"false"` behind a condition.', examples: ["true"] }),
  ),
});

export const flowSchema = Type.Object(
  {
    nodes: Type.Array(flowNode, { maxItems: 500, description: "The steps, in any order." }),
    edges: Type.Array(flowEdge, { maxItems: 1000, description: "The ways between them." }),
  },
  {
    additionalProperties: true,
    $id: "Flow",
    description: "Steps, and the ways between them. At most 256 KB of JSON.",
    examples: [
      {
        nodes: [
          { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
          {
            id: "hello",
            type: "action",
            data: { action: "send_email", subject: "Welcome", html: "<p>Hello {{ contact.firstName }}</p>" },
          },
        ],
        edges: [{ source: "in", target: "hello" }],
      },
    ],
  },
);
