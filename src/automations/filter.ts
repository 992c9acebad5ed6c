import { accept, invalid, type Result } from "#core/errors.ts";
import {
  AUTOMATION_STATUSES,
  ENROLLMENT_STATUSES,
  isAutomationStatus,
  isEnrollmentStatus,
  type AutomationStatus,
  type EnrollmentStatus,
} from "./automation.ts";

type Query = Readonly<Record<string, string | undefined>>;

/** Reads `status` of GET /automations; an empty value means no filter (docs/decisions.md "Pagination"). */
export function parseAutomationFilter({ status }: Query): Result<AutomationStatus | null> {
  if (!status) return accept(null);
  return isAutomationStatus(status) ? accept(status) : unknown(AUTOMATION_STATUSES);
}

/** Reads `status` of GET /automations/{id}/enrollments; an empty value means no filter. */
export function parseEnrollmentFilter({ status }: Query): Result<EnrollmentStatus | null> {
  if (!status) return accept(null);
  return isEnrollmentStatus(status) ? accept(status) : unknown(ENROLLMENT_STATUSES);
}

const unknown = (statuses: readonly string[]) => invalid(`\`status\` must be one of ${statuses.join(", ")}.`);
