import type { Attributes, AttributeValue } from "#attributes/attribute.ts";
import type { Instant } from "#core/time/clock.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import type { MailBody, NameField } from "#automations/flow/flow-step.ts";

/**
 * The position of a run. It is stored with the enrollment, passed to `step`, and replaced by what `step`
 * returns.
 */
export type RunState = {
  readonly currentNodeId: string;
  /** True while the contact is at a wait node and the wait has begun. */
  readonly waiting: boolean;
  /**
   * Nodes performed since the run began; grows by one per performed node. Together with the enrollment's id
   * it identifies one performance of one node.
   */
  readonly steps: number;
  /** Nodes performed since the last wait that took time. */
  readonly stepsSinceWait: number;
};

/** A run on entry; its first node is due at once. */
export function newRun(triggerNodeId: string): RunState {
  return { currentNodeId: triggerNodeId, waiting: false, steps: 0, stepsSinceWait: 0 };
}

/** Ids of a run: for names and payloads, never for decisions. */
export type RunIdentity = { readonly automationId: string; readonly enrollmentId: string };

/**
 * A change to be written in the transaction that moves the run. So a retry never repeats it: by then the run has
 * moved on. Changes that make no difference to the facts are left out.
 */
export type Effect =
  | {
      /**
       * To be planned in the ledger, once per (enrollment, execution). Templates still hold Liquid:
       * `automations/mail/mail-content.ts` fills them in.
       */
      readonly kind: "sendEmail";
      readonly nodeId: string;
      readonly execution: number;
      readonly subject: string;
      readonly body: MailBody;
    }
  | { readonly kind: "addTag" | "removeTag"; readonly tag: string }
  | { readonly kind: "addToList" | "removeFromList"; readonly listId: string }
  | { readonly kind: "setField"; readonly field: NameField; readonly value: string }
  | {
      readonly kind: "setAttribute";
      readonly name: string;
      /** Null: the attribute is removed. */
      readonly value: AttributeValue | null;
      /** All attributes of the contact after the change. */
      readonly attributes: Attributes;
    }
  | { readonly kind: "unsubscribe" };

/** An effect that is written to the contact's rows. */
export type ContactChange = Exclude<Effect, { kind: "sendEmail" }>;

/** A request that must succeed before the run goes on. */
export type WebhookCall = {
  readonly kind: "webhook";
  readonly nodeId: string;
  /** The `webhook-id` header: the same on every try, so that a receiver can ignore repeats. */
  readonly messageId: string;
  readonly url: string;
  readonly payload: JsonObject;
};

/** The run continues at `state.currentNodeId` at `nextRunAt`. */
export type Move = {
  readonly kind: "move";
  readonly state: RunState;
  readonly nextRunAt: Instant;
  readonly effects: readonly Effect[];
};

/** The run ended successfully. */
export type Complete = { readonly kind: "complete"; readonly effects: readonly Effect[] };

/** The run ended, and this step changes nothing. The message is for a person and names the node. */
export type Fail = { readonly kind: "fail"; readonly errorMessage: string };

/**
 * Make `call` first. If it succeeds, `next` follows, or what the flow says by then (`step.ts`, `afterItsCall`). If
 * not, `retry.ts` says when to call `step` again, or that the run fails.
 */
export type Needs = { readonly kind: "needs"; readonly call: WebhookCall; readonly next: Move | Complete };

export type StepOutcome = Move | Complete | Fail | Needs;
