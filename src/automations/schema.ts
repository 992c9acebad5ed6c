import { Type, type Static } from "@sinclair/typebox";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { documentedAs, exact, nullable, oneOf, pageQuery, timestamp } from "#http/envelope.ts";
import { AUTOMATION_STATUSES, ENROLLMENT_STATUSES, type Automation, type Enrollment } from "./automation.ts";
import { flowSchema } from "#automations/flow/flow-schema.ts";

/** The wire shapes of automations (docs/contract.md "Automation", "Enrollment"). */

const automationStatus = oneOf(
  "AutomationStatus",
  AUTOMATION_STATUSES,
  "Contacts enter and move only while it is LIVE.",
);
const enrollmentStatus = oneOf(
  "EnrollmentStatus",
  ENROLLMENT_STATUSES,
  "COMPLETED at an end, or if no edge leads on; FAILED if the run cannot continue.",
);

export const automationSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["aut_01kafe6w3p8m2t9qxj5r7vn4bc"] }),
    name: Type.String({ description: "For people.", examples: ["Welcome"] }),
    status: { ...automationStatus, examples: ["LIVE"] },
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
      description: "The contact of the run.",
      examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
    }),
    email: Type.Optional(
      Type.String({
        description: "The contact's address. Only with `include=email`.",
        examples: ["grace@example.com"],
      }),
    ),
    currentNodeId: Type.String({
      description: "The node whose turn is next, or the wait that runs.",
      examples: ["wait-a-day"],
    }),
    status: enrollmentStatus,
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
  {
    ...exact,
    $id: "Problem",
    description:
      "Something in a flow that would fail, never happen, or stay empty; or mail of it that waits.",
  },
);

const name = Type.Optional(
  documentedAs(
    Type.String({
      maxLength: NAME_CHARACTERS_MAX,
      description: "Empty: `Untitled automation`.",
      examples: ["Welcome"],
    }),
  ),
);

export const newAutomationBody = Type.Object(
  { name },
  { $id: "AutomationCreate", description: "A name, or nothing.", examples: [{ name: "Welcome" }] },
);

const nodeCount = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const nodeFigures = Type.Object(
  {
    nodeId: Type.String({ description: "The node's id in the flow.", examples: ["welcome"] }),
    entered: nodeCount("Runs that came to the node.", 120),
    waiting: nodeCount("Runs that are there now.", 3),
    completed: nodeCount("Runs that went on from it, or ended there.", 116),
    failed: nodeCount("Runs that failed there.", 1),
    sent: nodeCount("Its messages that the relay accepted.", 116),
    opened: nodeCount("Of these, those that a person opened.", 64),
    clicked: nodeCount("Of these, those in which a person followed a link.", 12),
  },
  {
    additionalProperties: false,
    $id: "NodeFigures",
    description: "The figures of runs and mails at one node.",
  },
);

export const nodeFiguresSchema = Type.Array(nodeFigures, {
  description: "The nodes, in the order of the flow.",
});

// The rules check these members, and name the place in the flow.
export const automationChangeBody = Type.Object(
  {
    name,
    flowJson: Type.Optional(
      documentedAs({
        ...flowSchema,
        description:
          "The whole flow, which replaces the old one. Only its shape is checked; see its problems.",
      }),
    ),
    status: Type.Optional(
      documentedAs({
        ...automationStatus,
        description: "LIVE publishes or resumes, PAUSED pauses a LIVE one.",
        examples: ["LIVE"],
      }),
    ),
  },
  { $id: "AutomationUpdate", description: "Send only what changes.", examples: [{ status: "LIVE" }] },
);

export type NewAutomationBody = Static<typeof newAutomationBody>;
export type AutomationChangeBody = Static<typeof automationChangeBody>;

export const automationQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional({ ...automationStatus, description: "Only this status.", examples: ["LIVE"] }),
});
export const enrollmentQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional({ ...enrollmentStatus, description: "Only this status." }),
  email: Type.Optional(
    Type.String({ description: "Only the contact with this address.", examples: ["grace@example.com"] }),
  ),
  include: Type.Optional(
    Type.String({ enum: ["email"], description: "`email` shows whose they are.", examples: ["email"] }),
  ),
});

export const automationWire = ({
  createdAt,
  updatedAt,
  ...automation
}: Automation): Static<typeof automationSchema> => ({
  ...automation,
  createdAt: isoOf(createdAt),
  updatedAt: isoOf(updatedAt),
});

/** @param withEmail whether the request asked for the address */
export const enrollmentView = (withEmail: boolean) => (enrollment: Enrollment) =>
  withEmail ? { ...enrollmentWire(enrollment), email: enrollment.email } : enrollmentWire(enrollment);

const enrollmentWire = ({
  nextRunAt,
  enrolledAt,
  completedAt,
  email: _email,
  ...enrollment
}: Enrollment): Static<typeof enrollmentSchema> => ({
  ...enrollment,
  nextRunAt: isoOf(nextRunAt),
  enrolledAt: isoOf(enrolledAt),
  completedAt: isoOrNull(completedAt),
});
