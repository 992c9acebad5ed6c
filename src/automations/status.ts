import { accept, refuse, type Result } from "#core/errors/errors.ts";
import type { AutomationStatus } from "./automation.ts";

/**
 * The status after a request for `requested` (docs/contract.md "Automation status"). DRAFT and PAUSED go LIVE, LIVE
 * goes PAUSED, and a DRAFT may be requested to be DRAFT. Everything else is AUTOMATION_WRONG_STATE, including a
 * second request for LIVE or PAUSED.
 */
export function changeStatus(
  current: AutomationStatus,
  requested: AutomationStatus,
): Result<AutomationStatus> {
  switch (requested) {
    case "LIVE":
      return current === "LIVE" ? wrongState("The automation is LIVE already.") : accept("LIVE");
    case "PAUSED":
      return current === "LIVE"
        ? accept("PAUSED")
        : wrongState(`Only a LIVE automation can be paused; this one is ${current}.`);
    case "DRAFT":
      return current === "DRAFT"
        ? accept("DRAFT")
        : wrongState(
            `A published automation cannot return to DRAFT; this one is ${current}. Pause it instead.`,
          );
  }
}

const wrongState = (message: string) => refuse("AUTOMATION_WRONG_STATE", message);
