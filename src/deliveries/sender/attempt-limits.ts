import type { MailKind } from "#deliveries/mail-kind.ts";

/**
 * How long an attempt may take before its connection is cut, up to its dot and from there: mail somebody waits for must
 * neither hang with a relay that has gone silent nor keep the few connections of its lane. Cut before the dot, it is tried
 * again, on another relay if there is one; cut behind it, its outcome is unknown. Null: the stages' own limits, which are long.
 */
export const attemptLimits: Readonly<
  Record<MailKind, { readonly toDotMs: number; readonly atDotMs: number } | null>
> = {
  campaign: null,
  automation: null,
  transactional: { toDotMs: 6_000, atDotMs: 15_000 },
  confirmation: { toDotMs: 30_000, atDotMs: 120_000 },
};
