import { Type } from "@sinclair/typebox";
import { isoOf, isoOrNull, nullable, pageQuery, timestamp } from "#http/envelope.ts";
import { AUTOMATION_STATUSES, ENROLLMENT_STATUSES, type Automation, type Enrollment } from "./automation.ts";

/** The wire shapes of automations (contract, Automation and Enrollment). */

const exact = { additionalProperties: false } as const;
const oneOf = (names: readonly string[], description: string, example: string) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    { description, examples: [example] },
  );

export const automationSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["aut_01kafe6w3p8m2t9qxj5r7vn4bc"] }),
    name: Type.String({ description: "For people.", examples: ["Welcome"] }),
    status: oneOf(AUTOMATION_STATUSES, "Contacts enter and move only while it is LIVE.", "LIVE"),
    createdAt: timestamp("When the automation was made."),
    updatedAt: timestamp("When its name, flow or status last changed."),
    activeEnrollments: Type.Integer({
      minimum: 0,
      description: "Enrollments still running.",
      examples: [12],
    }),
  },
  {
    ...exact,
    $id: "Automation",
    description: "A flow that reacts to a trigger. The flow itself has a route of its own.",
  },
);

export const enrollmentSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["enr_01kafe9d2c7v4h8mwn6t3xq5rk"] }),
    contactId: Type.String({
      description: "Who is on the way.",
      examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
    }),
    currentNodeId: Type.String({
      description: "The node whose turn is next, or the wait that runs.",
      examples: ["wait-a-day"],
    }),
    status: oneOf(
      ENROLLMENT_STATUSES,
      "COMPLETED at an end, or where no edge leads on; FAILED where the run cannot go on.",
      "ACTIVE",
    ),
    nextRunAt: timestamp("When that turn comes; a finished enrollment keeps its last value."),
    enrolledAt: timestamp("When the contact entered."),
    completedAt: nullable(timestamp("When it ended; null while it runs.")),
    errorMessage: nullable(
      Type.String({
        description: "Why it FAILED; null otherwise.",
        examples: ['The step "mail" cannot run: `subject` is missing.'],
      }),
    ),
  },
  { ...exact, $id: "Enrollment", description: "One contact's way through an automation." },
);

export const problemSchema = Type.Object(
  {
    nodeId: nullable(
      Type.String({ description: "The node it concerns; null for the whole flow.", examples: ["mail"] }),
    ),
    path: Type.String({ description: "Where in `flowJson`.", examples: ["nodes[2].data.subject"] }),
    message: Type.String({
      description: "What is wrong, and what to do.",
      examples: ["`subject` is missing."],
    }),
  },
  { ...exact, $id: "Problem", description: "Something in a flow that would fail, or never happen." },
);

const EXAMPLE_FLOW = {
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "new_subscriber" } },
    {
      id: "hello",
      type: "action",
      data: { action: "send_email", subject: "Welcome", html: "<p>Hello {{ contact.firstName }}</p>" },
    },
  ],
  edges: [{ source: "in", target: "hello" }],
};

export const flowSchema = Type.Object(
  {
    nodes: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: "`id`, `type` and `data`; other members are kept.",
    }),
    edges: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: '`source` and `target`; `sourceHandle` "true" or "false" behind a condition.',
    }),
  },
  {
    additionalProperties: true,
    $id: "Flow",
    description: "Nodes, and the edges between them.",
    examples: [EXAMPLE_FLOW],
  },
);

const name = Type.Optional(
  Type.Unknown({ type: "string", description: "Empty: `Untitled automation`.", examples: ["Welcome"] }),
);

export const newAutomationBody = Type.Object(
  { name },
  { description: "A name, or nothing.", examples: [{ name: "Welcome" }] },
);

// The rules check these, and name the place in the flow.
export const automationChangeBody = Type.Object(
  {
    name,
    flowJson: Type.Optional(
      Type.Unknown({
        type: "object",
        description: "The whole flow: `{ nodes, edges }`. Only its shape is checked; see its problems.",
        examples: [EXAMPLE_FLOW],
      }),
    ),
    status: Type.Optional(
      Type.Unknown({
        type: "string",
        enum: [...AUTOMATION_STATUSES],
        description: "LIVE publishes or resumes, PAUSED pauses a LIVE one.",
        examples: ["LIVE"],
      }),
    ),
  },
  { description: "Send only what changes.", examples: [{ status: "LIVE" }] },
);

const statusFilter = (names: readonly string[], example: string) =>
  Type.Optional(Type.String({ enum: [...names], description: "Only this status.", examples: [example] }));

export const automationQuery = Type.Object({
  ...pageQuery,
  status: statusFilter(AUTOMATION_STATUSES, "LIVE"),
});
export const enrollmentQuery = Type.Object({
  ...pageQuery,
  status: statusFilter(ENROLLMENT_STATUSES, "ACTIVE"),
});

export const automationWire = ({ createdAt, updatedAt, ...automation }: Automation) => ({
  ...automation,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});

export const enrollmentWire = ({ nextRunAt, enrolledAt, completedAt, ...enrollment }: Enrollment) => ({
  ...enrollment,
  nextRunAt: isoOf(nextRunAt),
  enrolledAt: isoOf(enrolledAt),
  completedAt: isoOrNull(completedAt),
});
