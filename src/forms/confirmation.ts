import { createHash } from "node:crypto";
import type { Instant } from "#core/clock.ts";
import { HOUR_MS } from "#core/time.ts";

/** A confirmation's link works this long after the sign-up. */
export const LINK_VALID_DAYS = 7;
const LINK_VALID_MS = LINK_VALID_DAYS * 24 * HOUR_MS;

/**
 * However often somebody types an address into forms, its holder gets no more mail than this
 * (docs/failure-catalogue.md "A-01").
 */
export const CAP_PERIOD_MS = 24 * HOUR_MS;
const PER_FORM_MAX = 1;
const PER_WORKSPACE_MAX = 3;

/** Confirmations of one address within the last `CAP_PERIOD_MS`. */
export type RecentConfirmations = { readonly ofForm: number; readonly ofWorkspace: number };

export function mayConfirm({ ofForm, ofWorkspace }: RecentConfirmations): boolean {
  return ofForm < PER_FORM_MAX && ofWorkspace < PER_WORKSPACE_MAX;
}

/** What a confirmation mail says and who it comes from: the workspace's words, nothing that somebody typed into the form. */
export type ConfirmationContent = {
  readonly workspaceName: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
};

/** The source of a mailing: a form's confirmations of one content share one. */
export function sourceOf(formId: string, content: ConfirmationContent): string {
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return `${formId}:${digest.slice(0, 12)}`;
}

/** How a confirmation's link stands. `void`: the person left, bounced or was deleted since it was sent. */
export type LinkState = "open" | "used" | "expired" | "void";

/** What is kept of a link. */
export type LinkTimes = {
  readonly createdAt: Instant;
  readonly confirmedAt: Instant | null;
  readonly voidedAt: Instant | null;
};

export function linkState({ createdAt, confirmedAt, voidedAt }: LinkTimes, now: Instant): LinkState {
  if (voidedAt !== null) return "void";
  if (confirmedAt !== null) return "used";
  return now < createdAt + LINK_VALID_MS ? "open" : "expired";
}
