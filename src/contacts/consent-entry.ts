import type { Instant } from "#core/clock.ts";

/** Through what a person's decision reached us (docs/decisions.md "Contacts and consent"). */
type ConsentSource = "api" | "form" | "confirmation" | "unsubscribe" | "bounce" | "complaint" | "admin";

/** Where a decision came from, as far as that is known. */
export type ConsentOrigin = {
  readonly source: ConsentSource;
  readonly formId: string | null;
  readonly clientAddress: string | null;
  readonly userAgent: string | null;
  /** What the person said about it, on the unsubscribe page. */
  readonly reason?: string | null;
};

/** An entry to write. */
export type ConsentEntry = ConsentOrigin & { readonly action: "GIVEN" | "WITHDRAWN"; readonly at: Instant };

/** An entry of the log. It outlives the contact; `contactId` is `""` where there never was one. */
export type ConsentRecord = ConsentEntry & { readonly email: string; readonly contactId: string };
