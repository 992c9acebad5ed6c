import { Type } from "@sinclair/typebox";
import { exact } from "./envelope.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import type { Clock } from "#core/time/clock.ts";
import type { PublicOperation, PublicRoute } from "#http/routes/public-route.ts";

/** What `GET /health` shows. */
export type HealthParts = {
  readonly version: string;
  /** `captured`: mail is shown at /mailbox and not delivered. */
  readonly mail: "smtp" | "captured";
  readonly clock: Clock;
  /** What is wrong with the database, or null. */
  fault(): Error | null;
  /** Tries to write. Resolves when the write is durable. */
  probeWrite(): Promise<void>;
  /** Relays of the service that cannot be used now. */
  relayTrouble(): readonly { readonly relay: string; readonly trouble: string }[];
  /** How long ago each scheduled task last showed that it is alive. */
  ticks(): readonly { readonly task: string; readonly ageMs: number }[];
  /** How many processes send from the same database; null: there can be only one. */
  nodes(): number | null;
};

/**
 * `GET /health`, without a key: 200, or 503 while the database cannot be written, or does not answer this server's
 * sign of life. Each call tries a failed write again, so the service reports healthy as soon as it is; it waits a second
 * for that at most. While no write has failed, nothing is tried: a slow disk alone gives no 503. Relay trouble is shown
 * but does not give 503: mail waits, and everything else works.
 */
export function healthRoute(parts: HealthParts): PublicRoute {
  const { version, mail } = parts;
  const canWrite = writeTrial(parts);
  return {
    method: "GET",
    path: "/health",
    documented: HEALTH,
    async handle() {
      const well = parts.fault() === null || (await canWrite());
      const status = well ? "ok" : isDamaged(parts.fault()) ? DAMAGED : UNWRITABLE;
      const nodes = parts.nodes();
      const shared = nodes === null ? {} : { nodes };
      return Response.json(
        { status, version, mail, relays: parts.relayTrouble(), tasks: tasksOf(parts), ...shared },
        { status: well ? 200 : 503, headers: { "Cache-Control": "no-store" } },
      );
    },
  };
}

const tasksOf = ({ ticks }: HealthParts) =>
  ticks().map(({ task, ageMs }) => ({ task, lastTickSeconds: Math.round(ageMs / 100) / 10 }));

const UNWRITABLE = "database cannot be written";
const DAMAGED = "database is damaged";

const isDamaged = (fault: Error | null): boolean =>
  fault instanceof StorageError && fault.trouble === "damaged";

/**
 * How long a call waits for the trial. A disk that is busy, but works, may take a second. The trial may take much
 * longer, because it waits for a lock like any other write; and who asks waits a few seconds at most.
 */
const TRIAL_WAIT_MS = 1_000;

/**
 * Tries to write, after a write has failed. All calls share one trial, so that they do not pile up. What is not over in
 * time leaves the known failure as the answer; if the trial succeeds later, the next call hears it. Does not write to
 * a damaged database just to test it.
 */
function writeTrial({ fault, probeWrite, clock }: HealthParts): () => Promise<boolean> {
  let trial: Promise<boolean> | null = null;
  const begin = async (): Promise<boolean> => {
    try {
      await probeWrite();
      return true;
    } catch {
      return false;
    } finally {
      trial = null;
    }
  };
  return async () => {
    if (isDamaged(fault())) return false;
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const cancel = clock.setTimer(TRIAL_WAIT_MS, () => resolve(false));
    return await Promise.race([(trial ??= begin()), late]).finally(cancel);
  };
}

const relaySchema = Type.Object(
  {
    relay: Type.String({ description: "Its host and port.", examples: ["smtp.example.com:587"] }),
    trouble: Type.String({
      description: "Why it cannot be used right now.",
      examples: ["connection refused"],
    }),
  },
  { ...exact, $id: "RelayTrouble", description: "A relay in trouble." },
);

const taskSchema = Type.Object(
  {
    task: Type.String({ description: "What is looked after.", examples: ["automations"] }),
    lastTickSeconds: Type.Number({
      description: "How long ago it last gave a sign of life: about a second at most, unless it hangs.",
      examples: [0.4],
    }),
  },
  { ...exact, $id: "TaskAge", description: "A background task." },
);

const healthSchema = (...statuses: readonly string[]) =>
  Type.Object(
    {
      status: Type.Union(
        statuses.map((status) => Type.Literal(status)),
        { description: "The service in a few words." },
      ),
      version: Type.String({ description: "Postrider's version.", examples: ["0.1.0"] }),
      mail: Type.Union([Type.Literal("smtp"), Type.Literal("captured")], {
        description: "`captured`: mail is shown at /mailbox and not delivered.",
      }),
      relays: Type.Array(relaySchema, {
        description:
          "The service's relays that cannot be used right now, without those of a workspace's own.",
        examples: [[]],
      }),
      tasks: Type.Array(taskSchema, {
        description: "The background tasks: an age of more than 90 seconds means that a task hangs.",
      }),
      nodes: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            "With PostgreSQL: how many processes send from the same database, as this one saw a few seconds ago.",
          examples: [3],
        }),
      ),
    },
    { ...exact, description: "How the service is." },
  );

const HEALTH: PublicOperation = {
  operationId: "getHealth",
  tag: "service",
  summary: "See whether the service is well",
  description:
    "For a load balancer or a monitor. Trouble with a relay is shown but is no 503: mail waits, and everything else works.",
  answers: {
    200: { description: "It is well.", content: { "application/json": healthSchema("ok") } },
    503: {
      description:
        "The database cannot be written (tried again at every call, for a second), or is damaged or could not be read (until the next start). With PostgreSQL also: it has not answered this server for so long that it may send nothing.",
      content: { "application/json": healthSchema(UNWRITABLE, DAMAGED) },
    },
  },
};
