import type { Instant } from "#core/time/clock.ts";
import type { Page, PageRequest } from "#core/request/page.ts";
import type { Attempt, Delivery, DeliveryState } from "./delivery.ts";
import type { DueDelivery, Endpoint } from "./endpoint.ts";
import type { Health } from "#webhooks/calls/health.ts";
import type { AttemptInput, Verdict } from "#webhooks/calls/verdict.ts";
import type { TroubledWebhook, Webhook, WebhookChange, WebhookContent } from "./webhook.ts";

/** Webhooks and the log of their deliveries. Every method is one transaction. */
export type WebhookStore = {
  /** Null, and nothing written, if the workspace has `webhooksMax` already. */
  insert(workspaceId: string, webhook: NewWebhook, webhooksMax: number): Promise<Webhook | null>;
  find(workspaceId: string, id: string): Promise<Webhook | null>;
  /** Newest first. */
  page(workspaceId: string, request: PageRequest): Promise<Page<Webhook>>;
  /** A new address, or enabling it, makes it well again: what is owed is sent at once. Null: no such webhook. */
  change(workspaceId: string, id: string, change: WebhookChange): Promise<Webhook | null>;
  /** The previous secrets sign for a while: see `afterRotation`. Null: no such webhook. */
  rotate(workspaceId: string, id: string, secret: string, at: Instant): Promise<Webhook | null>;
  /** Nothing more is sent. False: no such webhook. */
  delete(workspaceId: string, id: string): Promise<boolean>;

  /** Newest first. Null: no such webhook. */
  deliveries(
    workspaceId: string,
    id: string,
    state: DeliveryState | null,
    request: PageRequest,
  ): Promise<Page<Delivery> | null>;
  /** Adds one message that is owed now, to this webhook alone. */
  owe(
    workspaceId: string,
    id: string,
    message: OwedMessage,
    at: Instant,
  ): Promise<Delivery | "disabled" | null>;
  /** Makes the delivery owed again, now. Null: no such delivery. */
  replay(
    workspaceId: string,
    id: string,
    deliveryId: string,
    at: Instant,
  ): Promise<Delivery | "disabled" | null>;
  /** Webhooks that the service disabled, or that fail now. */
  troubled(workspaceId: string): Promise<readonly TroubledWebhook[]>;
};

type NewWebhook = WebhookContent & {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: Instant;
};

type OwedMessage = { readonly type: string; readonly data: object };

/** An attempt that was made, and the pause that its answer asked for. */
export type MadeAttempt = {
  readonly delivery: number;
  readonly endpoint: number;
  readonly attempt: Attempt;
  readonly askedPauseMs: number;
  readonly jitter: number;
};

/** The outbox, as the job sees it. Every method is one transaction. */
export type OutboxStore = {
  /** Calls the listener after a commit of this process that wrote messages. */
  onOwed(listener: () => void): void;
  /** Webhooks that have messages due and may be called now. */
  dueEndpoints(now: Instant): Promise<readonly Endpoint[]>;
  /** The messages of a webhook that have been due for the longest time, without those in `except`. */
  due(
    endpoint: number,
    now: Instant,
    limit: number,
    except: ReadonlySet<number>,
  ): Promise<readonly DueDelivery[]>;
  /**
   * Writes an attempt and what `judge` decides. Returns the endpoint's new health; null: it must not be called any
   * more. Not urgent: several of these share a commit.
   */
  settle(made: MadeAttempt, judge: (input: AttemptInput) => Verdict): Promise<Health | null>;
  /**
   * What is put off for longer than any pause was put off by a clock that was ahead: it is due now. The endpoints too
   * may be called again, and one that only such a clock gave up is enabled, with what it gave up of its messages owed
   * again.
   */
  drawIn(now: Instant): Promise<void>;
  /**
   * Removes some deliveries that are older than `before`, and some of deleted webhooks. False: none were left. What
   * is owed to an enabled webhook stays: it is soon sent or given up, and it looks old also if the clock is ahead.
   * One whose time is to come was made while the clock was ahead: it is as old as those that were made after it.
   */
  clear(before: Instant, rowsMax: number): Promise<boolean>;
};
