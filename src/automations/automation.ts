import type { Instant } from "#core/time/clock.ts";

export const AUTOMATION_STATUSES = ["DRAFT", "LIVE", "PAUSED"] as const;

/** Contacts enter and move only while it is LIVE. `status.ts` has the allowed changes. */
export type AutomationStatus = (typeof AUTOMATION_STATUSES)[number];

/** A flow that reacts to triggers, as the API shows it. The flow itself is stored apart (`flow/flow.ts`). */
export type Automation = {
  readonly id: string;
  readonly name: string;
  readonly status: AutomationStatus;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly activeEnrollments: number;
};

export const ENROLLMENT_STATUSES = ["ACTIVE", "COMPLETED", "FAILED"] as const;

/**
 * ACTIVE on entry; COMPLETED at an `end` node or where no edge leads on; FAILED on an error that retries did
 * not solve. The last two are final (docs/decisions.md "Automations").
 */
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number];

/** One contact's run through an automation. */
export type Enrollment = {
  readonly id: string;
  readonly contactId: string;
  /** The contact's address. */
  readonly email: string;
  /** The node to be performed next or, during a wait, the wait itself. */
  readonly currentNodeId: string;
  readonly status: EnrollmentStatus;
  /** When that node is due; a finished enrollment keeps its last value. */
  readonly nextRunAt: Instant;
  readonly enrolledAt: Instant;
  readonly completedAt: Instant | null;
  readonly errorMessage: string | null;
};

/** Which enrollments are wanted; null: any. `email` is an address in its stored form. */
export type EnrollmentFilter = { readonly status: EnrollmentStatus | null; readonly email: string | null };

/** Whether `text` is one of the three statuses, in exactly that spelling. */
export function isAutomationStatus(text: unknown): text is AutomationStatus {
  return AUTOMATION_STATUSES.some((status) => status === text);
}

/** Whether `text` is one of the three statuses, in exactly that spelling. */
export function isEnrollmentStatus(text: unknown): text is EnrollmentStatus {
  return ENROLLMENT_STATUSES.some((status) => status === text);
}
