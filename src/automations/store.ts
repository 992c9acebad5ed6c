import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Automation, AutomationStatus, Enrollment, EnrollmentFilter } from "./automation.ts";
import type { WaitingMail } from "#automations/mail/waiting-mail.ts";
import type { NodeFigures } from "#automations/node-figures.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Trouble } from "#automations/flow/trouble.ts";

export type NewAutomationRow = {
  readonly id: string;
  readonly name: string;
  readonly flow: Flow;
  readonly createdAt: Instant;
};

/** An automation after a change. If `flow` is undefined, the flow stays the same. */
export type AutomationWrite = {
  readonly name: string;
  readonly flow: Flow | undefined;
  readonly status: AutomationStatus;
};

/**
 * Automations and their enrollments. Every method is one transaction. Null or false: the workspace has no
 * such automation.
 */
export type AutomationStore = {
  /** A DRAFT. */
  insert(workspaceId: string, automation: NewAutomationRow): Promise<Automation>;
  find(workspaceId: string, id: string): Promise<Automation | null>;
  flow(workspaceId: string, id: string): Promise<Flow | null>;
  /** The figures by node, including nodes that are no longer in the flow. */
  nodeFigures(workspaceId: string, id: string): Promise<ReadonlyMap<string, NodeFigures> | null>;
  /** Newest first. */
  page(workspaceId: string, status: AutomationStatus | null, request: PageRequest): Promise<Page<Automation>>;
  /**
   * Writes the answer of `decide`; `updatedAt` changes only if something else does. After this resolves, a PAUSED
   * automation lets nobody in, moves nobody and hands no mail to a relay. When it is LIVE again, everything
   * continues where it stopped.
   */
  change(
    workspaceId: string,
    id: string,
    decide: (current: Automation) => Result<AutomationWrite>,
    at: Instant,
  ): Promise<Result<Automation> | null>;
  /**
   * Releases the mail that a restored copy had queued: at once if the automation is LIVE, otherwise when it becomes
   * LIVE.
   */
  release(workspaceId: string, id: string): Promise<"released" | "not held" | "not found">;
  /** Stops the automation as a pause does, but permanently. Delivery records stay. */
  delete(workspaceId: string, id: string, at: Instant): Promise<boolean>;
  /** Newest first. */
  enrollments(
    workspaceId: string,
    id: string,
    filter: EnrollmentFilter,
    request: PageRequest,
  ): Promise<Page<Enrollment> | null>;
  /** What waits for a retry, by step and reason; only a few lines. */
  troubles(workspaceId: string, id: string): Promise<Trouble[]>;
  /** The mailings with queued messages, without those that only a pause holds. */
  waitingMail(workspaceId: string, id: string): Promise<WaitingMail[]>;
  /** Which of these ids are lists of the workspace. */
  knownLists(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
};
