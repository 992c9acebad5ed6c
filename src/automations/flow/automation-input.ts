import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { parseNameText } from "#core/text/name-text.ts";
import { ifSent } from "#core/request/sent.ts";
import { isAutomationStatus, type AutomationStatus } from "#automations/automation.ts";
import type { AutomationChangeBody, NewAutomationBody } from "#automations/schema.ts";
import type { Flow } from "./flow.ts";
import { parseFlow } from "./flow-input.ts";

const NAME_DEFAULT = "Untitled automation";

/**
 * The changes that PATCH /automations/{id} asks for; undefined means "not sent". `automations/status.ts`
 * decides whether the status may change.
 */
export type AutomationChange = {
  readonly name: string | undefined;
  readonly flow: Flow | undefined;
  readonly status: AutomationStatus | undefined;
};

/** Reads the body of POST /automations: `name`, trimmed; `Untitled automation` if it is missing or empty. */
export function parseNewAutomation(body: NewAutomationBody): Result<{ name: string }> {
  const name = parseName(body.name ?? "");
  return name.ok ? accept({ name: name.value }) : name;
}

/** Reads the body of PATCH /automations/{id}. `null` means "not sent". */
export function parseAutomationChange(body: AutomationChangeBody): Result<AutomationChange> {
  const name = ifSent(body.name ?? undefined, parseName);
  if (!name.ok) return name;
  const flow = ifSent(body.flowJson ?? undefined, parseFlow);
  if (!flow.ok) return flow;
  const status = ifSent(body.status ?? undefined, parseStatus);
  if (!status.ok) return status;
  return accept({ name: name.value, flow: flow.value, status: status.value });
}

function parseName(value: unknown): Result<string> {
  const name = parseNameText("name", value);
  return name.ok ? accept(name.value || NAME_DEFAULT) : name;
}

function parseStatus(value: unknown): Result<AutomationStatus> {
  return isAutomationStatus(value) ? accept(value) : invalid("`status` must be DRAFT, LIVE or PAUSED.");
}
