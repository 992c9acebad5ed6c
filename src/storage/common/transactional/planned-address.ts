import type { SkipReason } from "#deliveries/ledger.ts";

/** What becomes of an address of a request. */
export type PlannedAddress = {
  readonly address: string;
  readonly contact: number | null;
  readonly skip: SkipReason | null;
};

/** A test goes to colleagues: it is about no contact, and a suppressed address gets none, whoever suppressed it. */
export type SendPurpose = { readonly isForTest: boolean };
