import type { MailKind } from "#deliveries/mail-kind.ts";

/**
 * How long an attempt may take before its connection is cut: until its dot, and from the dot on. Urgent mail must
 * not wait for a silent relay, nor keep one of its few connections busy. If the connection is cut before the dot,
 * the message is tried again; a request's at once, on another relay if there is one. After the dot, its outcome is
 * unknown. Null: the stages' own limits, which are long (`src/mail/smtp/session/stage-limits.ts`).
 */
export const attemptLimits: Readonly<
  Record<MailKind, { readonly toDotMs: number; readonly atDotMs: number } | null>
> = {
  campaign: null,
  automation: null,
  transactional: { toDotMs: 6_000, atDotMs: 15_000 },
  confirmation: { toDotMs: 30_000, atDotMs: 120_000 },
};
