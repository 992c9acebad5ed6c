import { unwrap } from "#core/errors/errors.ts";
import { dataOf } from "#http/envelope.ts";
import { ok, route, type Route } from "#http/routes/route.ts";
import { FOREIGN_SIMULATION_FIELDS } from "#automations/foreign-names.ts";
import { simulationBody, simulationSchema, simulationWire } from "./schema.ts";
import { parseSimulation } from "./simulation-input.ts";
import type { SimulationService } from "./simulation-service.ts";

/** POST /automations/{id}/simulate, one of our extensions. */
export function simulationRoutes(simulations: SimulationService): Route[] {
  return [
    route({
      method: "POST",
      path: "/automations/:id/simulate",
      operationId: "simulateAutomation",
      summary: "See what would happen to one contact",
      description:
        "Walks a contact through the flow on a virtual clock, by the engine's own rules. It sends and changes nothing. Webhooks are taken to succeed, mail to be sent and not clicked. Works for drafts too.",
      body: simulationBody,
      foreign: { body: FOREIGN_SIMULATION_FIELDS },
      answers: { 200: dataOf(simulationSchema) },
      handle: async (call) => {
        const automation = await simulations.automation(call.workspaceId, call.params.id);
        const request = unwrap(parseSimulation(call.body()));
        return ok(simulationWire(await simulations.simulate(automation, request)));
      },
    }),
  ];
}
