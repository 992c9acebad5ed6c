import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";
import {
  AUTOMATION_STATUSES,
  ENROLLMENT_STATUSES,
  isAutomationStatus,
  isEnrollmentStatus,
  type AutomationStatus,
  type EnrollmentFilter,
} from "./automation.ts";

type Query = Readonly<Record<string, string | undefined>>;

/** Reads `status` of GET /automations; an empty value means no filter (docs/decisions.md "Pagination"). */
export function parseAutomationFilter({ status }: Query): Result<AutomationStatus | null> {
  if (!status) return accept(null);
  return isAutomationStatus(status) ? accept(status) : unknown(AUTOMATION_STATUSES);
}

/** Reads `status` and `email` of GET /automations/{id}/enrollments; an empty value means no filter. */
export function parseEnrollmentFilter({ status, email }: Query): Result<EnrollmentFilter> {
  if (status && !isEnrollmentStatus(status)) return unknown(ENROLLMENT_STATUSES);
  const shown = status && isEnrollmentStatus(status) ? status : null;
  if (!email) return accept({ status: shown, email: null });
  const address = parseEmailAddress(email);
  return address.ok ? accept({ status: shown, email: address.value }) : address;
}

/** Whether `include=email` asks for the addresses of the contacts in the answer. */
export function parseEnrollmentInclude({ include }: Query): Result<boolean> {
  const asked = parseInclude(include, ["email"]);
  return asked.ok ? accept(asked.value.has("email")) : asked;
}

const unknown = (statuses: readonly string[]) => invalid(`\`status\` must be one of ${statuses.join(", ")}.`);
