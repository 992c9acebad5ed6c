import { DAYS_DEFAULT, DAYS_MAX } from "#automations/simulation/simulate.ts";
import type { SimulatedStep, Simulation } from "#automations/simulation/simulate.ts";
import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { checkJsonValue, isJsonObject, type JsonObject } from "#core/request/json-value.ts";
import { normalizeEventName } from "#events/event-name.ts";
import { firstOperand, PLACE, UsageError, type Call, type Command } from "#commands/line/command.ts";
import { inWorkspace, recordedInWorkspace } from "./open.ts";
import { pairs, printList, printResult, timeText } from "#commands/line/printing.ts";

export const automationSimulate: Command = {
  name: "automation simulate",
  says: "Walks a contact through an automation on a virtual clock; sends and changes nothing.",
  operands: ["ID"],
  flags: [
    {
      name: "contact",
      value: "EMAIL",
      says: "The contact whose path is shown; an unknown address means a new subscriber.",
    },
    { name: "event", value: "NAME", says: "The event that starts the run." },
    { name: "properties", value: "JSON", says: "That event's properties." },
    { name: "opens", value: "", says: "The contact opens each mail; without this flag, none." },
    { name: "days", value: "N", says: `How far to look ahead. (${DAYS_DEFAULT})` },
    ...PLACE,
  ],
  takesJson: true,
  notes: [
    "It decides by the same rules as the server. It assumes that webhooks succeed and mails are sent.",
    "Works for drafts too.",
  ],
  example:
    'automation simulate aut_01hx --contact ada@example.com --event order_placed --properties \'{"plan":"pro"}\'',
  run: (call) => {
    const request = requestOf(call);
    return inWorkspace(call, async ({ simulations }, workspaceId) => {
      const automation = await simulations.automation(workspaceId, firstOperand(call));
      const simulation = await simulations.simulate(automation, request);
      await printResult(call, wire(simulation), linesOf(simulation));
    });
  },
};

export const automationList: Command = {
  name: "automation list",
  says: "Lists the automations, newest first.",
  operands: [],
  flags: PLACE,
  takesJson: true,
  example: "automation list",
  run: (call) =>
    inWorkspace(call, async ({ automations }, workspaceId) => {
      await printList(
        call,
        automations.all(workspaceId),
        ({ id, name, status, activeEnrollments }) => ({ id, name, status, activeEnrollments }),
        [
          { title: "ID", of: ({ id }) => id },
          { title: "STATUS", of: ({ status }) => status },
          { title: "ACTIVE", of: ({ activeEnrollments }) => String(activeEnrollments) },
          { title: "NAME", of: ({ name }) => name },
        ],
        "There are no automations.",
      );
    }),
};

export const automationRelease: Command = {
  name: "automation release",
  says: "Releases the mail that an automation had queued when the database was copied.",
  operands: ["ID"],
  flags: PLACE,
  takesJson: true,
  notes: [
    "After a restore an automation is paused, and its queued mail is held, because it may have gone out since the backup.",
    "Make sure first that it has not. It goes out at once if the automation is LIVE again, otherwise as soon as it is.",
  ],
  example: "automation release aut_01hx",
  run: (call) =>
    recordedInWorkspace(call, "automation_released", async ({ automations }, workspaceId) => {
      const id = firstOperand(call);
      await automations.release(workspaceId, id);
      await printResult(call, { id, released: true }, `The held mail of ${id} is released`);
    }),
};

function requestOf({ flags }: Call) {
  const email = parseEmailAddress(flags.contact ?? "");
  if (!email.ok) throw new UsageError(`--contact: ${email.refusal.message}`);
  const eventName = flags.event === undefined ? null : normalizeEventName(flags.event);
  if (eventName === "") throw new UsageError("--event needs the name of an event, like order_placed");
  const days = Number(flags.days ?? DAYS_DEFAULT);
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX)
    throw new UsageError(`--days needs a whole number from 1 to ${DAYS_MAX}`);
  const properties = propertiesOf(flags.properties ?? "{}");
  return { email: email.value, eventName, properties, days, startAt: null, opens: flags.opens !== undefined };
}

function propertiesOf(text: string): JsonObject {
  const value = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  })();
  const checked = checkJsonValue(value, "properties");
  if (!checked.ok || !isJsonObject(checked.value)) throw new UsageError("--properties needs a JSON object");
  return checked.value;
}

const wire = ({ steps, status, errorMessage }: Simulation) => ({
  steps: steps.map((step) => ({ ...step, at: timeText(step.at) })),
  status,
  errorMessage,
});

function linesOf({ steps, status, errorMessage }: Simulation): string {
  const line = ({ at, nodeId, says, subject }: SimulatedStep) =>
    [timeText(at), `${nodeId}: ${says}${subject === null ? "" : ` "${subject}"`}`] as const;
  const end =
    status === "ACTIVE"
      ? errorMessage === null
        ? "Still on the way when the time is up."
        : "Held up."
      : `${status}.`;
  return `${pairs(steps.map(line))}\n${end}`;
}
