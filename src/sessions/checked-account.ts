/** What a password and a code were checked against. */
type CheckedAccount = {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly totpSecret: string | null;
  readonly totpStep: number | null;
};

/**
 * Whether the account of an address still is the one that was checked. Hashing takes a while: meanwhile it may have got
 * another password, or its code may have opened something else.
 */
export const isUnchanged = (now: CheckedAccount, checked: CheckedAccount): boolean =>
  now.id === checked.id &&
  now.passwordHash === checked.passwordHash &&
  now.totpSecret === checked.totpSecret &&
  now.totpStep === checked.totpStep;
