import type { SkipReason } from "#deliveries/ledger.ts";

/** What becomes of an address of a request. */
export type PlannedAddress = {
  readonly address: string;
  readonly contact: number | null;
  readonly skip: SkipReason | null;
};
