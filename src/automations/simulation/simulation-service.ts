import { NO_ATTRIBUTES } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import type { Clock, Instant } from "#core/time/clock.ts";
import { AppError, notFound, unwrap } from "#core/errors/errors.ts";
import { DAY_MS } from "#core/time/time.ts";
import type { Trigger } from "#core/trigger.ts";
import type { ScoringStore } from "#scoring/store.ts";
import type { Work } from "#work/pool.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import { entryFor } from "#automations/run/enroll.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { readyFlow } from "#automations/run/ready-flow.ts";
import type { RunStore } from "#automations/run/store.ts";
import { flowNeeds } from "#automations/run/flow-needs.ts";
import type { Simulation } from "./simulate.ts";
import { started } from "./simulated-start.ts";
import type { SimulationRequest } from "./simulation-input.ts";
import type { AutomationStore } from "#automations/store.ts";
import { readTrigger } from "#automations/flow/trigger-node.ts";

export type SimulationService = ReturnType<typeof simulationService>;

type Simulated = { readonly workspaceId: string; readonly id: string; readonly flow: Flow };

/** What would happen to one contact in an automation of any status. Nothing is written or sent. */
export function simulationService(parts: {
  automations: Pick<AutomationStore, "flow">;
  runs: Pick<RunStore, "walkFacts">;
  scoring: Pick<ScoringStore, "list">;
  workspaces: Pick<WorkspaceStore, "settings">;
  work: Pick<Work, "run">;
  clock: Clock;
}) {
  const { automations, runs, scoring, workspaces, work, clock } = parts;
  return {
    /**
     * The automation to simulate, with its current flow.
     * @throws AppError NOT_FOUND
     */
    async automation(workspaceId: string, id: string): Promise<Simulated> {
      const flow = await automations.flow(workspaceId, id);
      if (flow === null) throw notFound(`The automation ${id}`);
      return { workspaceId, id, flow };
    },

    /** @throws AppError VALIDATION_ERROR if the flow does not wait for the event */
    async simulate({ workspaceId, id, flow }: Simulated, request: SimulationRequest): Promise<Simulation> {
      const now = request.startAt ?? clock.now();
      const trigger = triggerOf(flow, request.eventName);
      const entry = entryFor(flow, trigger);
      if (entry === null)
        throw new AppError(
          "VALIDATION_ERROR",
          `The flow does not wait for the event ${request.eventName ?? ""}.`,
        );
      const stranger = newSubscriber(request.email, now);
      const needs = flowNeeds(flow);
      const { facts } = await runs.walkFacts(workspaceId, id, request.email, needs, stranger);
      const rules = needs.score ? await scoring.list(workspaceId) : [];
      const input = {
        ready: await readyFlow(workspaceId, flow, work, true),
        settings: await workspaces.settings(workspaceId),
        automationId: id,
        entryNodeId: entry.nodeId,
        facts: started(facts, trigger, { properties: request.properties, rules, now }),
        startAt: now,
        until: now + request.days * DAY_MS,
        opens: request.opens,
      };
      return unwrap(await work.run(workspaceId, "simulation", input));
    },
  };
}

/** @throws AppError if the flow has no readable trigger */
function triggerOf(flow: Flow, eventName: string | null): Trigger {
  if (eventName !== null) return { kind: "custom_event", eventName, eventId: "simulated" };
  const [first] = flow.nodes.flatMap(({ type, data }) => {
    const step = type === "trigger" ? readTrigger(data) : null;
    return step?.ok === true ? [step.value.on] : [];
  });
  if (first === undefined)
    throw new AppError("VALIDATION_ERROR", "The flow has no trigger that can be read: see its problems.");
  return first.kind === "custom_event" ? { ...first, eventId: "simulated" } : first;
}

const newSubscriber = (email: string, createdAt: Instant): Contact => ({
  id: "simulated",
  email,
  firstName: "",
  lastName: "",
  tags: [],
  status: "SUBSCRIBED",
  attributes: NO_ATTRIBUTES,
  createdAt,
});
