import { Type, type Static } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { documentedAs, exact, nullable, oneOf, openObject, timestamp } from "#http/envelope.ts";
import { DAYS_DEFAULT, DAYS_MAX, type Simulation } from "./simulate.ts";

// The rules check these members.
export const simulationBody = Type.Object(
  {
    email: documentedAs(
      Type.String({
        description: "Who. An address that is unknown stands for a new subscriber.",
        examples: ["grace@example.com"],
      }),
    ),
    startAt: Type.Optional(
      documentedAs(
        nullable(
          Type.String({
            format: "date-time",
            description: "When they enter; now unless given.",
            examples: ["2026-12-01T09:00:00Z"],
          }),
        ),
      ),
    ),
    eventName: Type.Optional(
      documentedAs(
        nullable(
          Type.String({
            description: "The event that starts the run. Without it, the flow's first trigger does.",
            examples: ["order_placed"],
          }),
        ),
      ),
    ),
    properties: Type.Optional(documentedAs(openObject("That event's properties.", { plan: "pro" }))),
    opens: Type.Optional(
      documentedAs(
        Type.Boolean({ description: "Whether they open every mail at once, or none.", examples: [true] }),
      ),
    ),
    days: Type.Optional(
      documentedAs(
        Type.Integer({
          minimum: 1,
          maximum: DAYS_MAX,
          description: `How far to look ahead; ${DAYS_DEFAULT} unless given.`,
          examples: [30],
        }),
      ),
    ),
  },
  {
    $id: "SimulationRequest",
    description: "Who walks, and from when.",
    examples: [{ email: "grace@example.com", opens: true }],
  },
);
export type SimulationBody = Static<typeof simulationBody>;

const simulatedStep = Type.Object(
  {
    at: timestamp("When it happens."),
    nodeId: Type.String({ description: "The node.", examples: ["welcome"] }),
    type: Type.String({ description: "Its type.", examples: ["action"] }),
    says: Type.String({ description: "What happens, in words.", examples: ["sends a mail"] }),
    subject: nullable(
      Type.String({
        description: "The subject of the mail that would be sent; null where none would.",
        examples: ["Welcome, Grace!"],
      }),
    ),
  },
  { ...exact, $id: "SimulatedStep", description: "One step of a simulated run." },
);

export const simulationSchema = Type.Object(
  {
    steps: Type.Array(simulatedStep, { description: "Every step with its date, in order." }),
    status: {
      ...oneOf(
        "SimulationStatus",
        ["ACTIVE", "COMPLETED", "FAILED"],
        "How the run stands at the end, or when the time is up (ACTIVE).",
      ),
      examples: ["COMPLETED"],
    },
    errorMessage: nullable(
      Type.String({
        description: "Why it failed, or what holds it up; null otherwise.",
        examples: ['The step "mail" cannot run: `subject` is missing.'],
      }),
    ),
  },
  { ...exact, $id: "Simulation", description: "What would happen to one contact." },
);

export const simulationWire = ({ steps, ...simulation }: Simulation): Static<typeof simulationSchema> => ({
  ...simulation,
  steps: steps.map((step) => ({ ...step, at: isoOf(step.at) })),
});
