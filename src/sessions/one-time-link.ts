import type { Instant } from "#core/time/clock.ts";

/** Null: it has no end. */
export const isTooOld = (expiresAt: Instant | null, now: Instant): boolean =>
  expiresAt !== null && now >= expiresAt;

/** What is known of a link, and of the account that it is for. */
type LinkFacts = {
  /** The operator made it to reset the account. Otherwise it is an invitation. */
  readonly isReset: boolean;
  readonly hasPassword: boolean;
  /** Whether the person is in a workspace by now. */
  readonly hasJoined: boolean;
  /** Whether the operator has reset the account, and the link of that can still be used. */
  readonly awaitsReset: boolean;
};

/**
 * Whether a link alone proves who uses it, and sets the password. The person who sent an invitation knows its link too.
 * So it can set the password only of an account that has no access to anything yet. A reset comes from the operator:
 * whoever follows its link joins everything, so nobody else may have opened the account by then.
 */
export const setsPassword = ({ isReset, hasPassword, hasJoined, awaitsReset }: LinkFacts): boolean =>
  isReset || (!hasPassword && !hasJoined && !awaitsReset);

/** Whether a link may be used with this password; null: with the one that its person has. */
export const mayUse = (
  link: { readonly kind: "first" } | { readonly kind: "person"; readonly setsPassword: boolean },
  passwordHash: string | null,
): boolean => link.kind === "first" || passwordHash === null || link.setsPassword;
