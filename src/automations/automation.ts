import type { Instant } from "#core/clock.ts";

export const AUTOMATION_STATUSES = ["DRAFT", "LIVE", "PAUSED"] as const;

/** Whether contacts enter and move: only while LIVE. `status.ts` holds the arrows between them. */
export type AutomationStatus = (typeof AUTOMATION_STATUSES)[number];

/** A flow that reacts to triggers, as the API shows it. The flow itself is kept beside it (`flow.ts`). */
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
 * ACTIVE on entry; COMPLETED at an `end` node or where no edge leads on; FAILED on an error that retries did not cure.
 * Nothing leads out of the last two (docs/decisions.md "Automations").
 */
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number];

/** One contact's way through an automation. */
export type Enrollment = {
  readonly id: string;
  readonly contactId: string;
  /** The node whose turn is next, or, during a wait, the wait itself. */
  readonly currentNodeId: string;
  readonly status: EnrollmentStatus;
  /** When that turn comes; a finished enrollment keeps its last value. */
  readonly nextRunAt: Instant;
  readonly enrolledAt: Instant;
  readonly completedAt: Instant | null;
  readonly errorMessage: string | null;
};

/** Whether `text` is one of the three statuses, spelled exactly so. */
export function isAutomationStatus(text: unknown): text is AutomationStatus {
  return AUTOMATION_STATUSES.some((status) => status === text);
}

/** Whether `text` is one of the three statuses, spelled exactly so. */
export function isEnrollmentStatus(text: unknown): text is EnrollmentStatus {
  return ENROLLMENT_STATUSES.some((status) => status === text);
}
