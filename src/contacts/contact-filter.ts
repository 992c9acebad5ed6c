import { storedAddressPiece } from "#core/addresses/email-address.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import type { ContactStatus } from "./contact.ts";
import { parseStatus } from "./contact-input.ts";

/** Which contacts a list shows. Null does not filter. A contact must match every filter. */
export type ContactFilter = {
  readonly status: ContactStatus | null;
  /** The contact has exactly this tag. */
  readonly tag: string | null;
  /**
   * The contact has this text, in any case, in its address or in one of its names. What follows an `@` is in the form of
   * stored domains.
   */
  readonly q: string | null;
};

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Reads `status`, `tag` and `q` (docs/contract.md "Contacts"). An empty filter does not filter
 * (docs/decisions.md "Pagination").
 */
export function parseContactFilter(query: Query): Result<ContactFilter> {
  const status = query.status ? parseStatus(query.status) : accept(null);
  const q = query.q ? storedAddressPiece(query.q) : null;
  return status.ok ? accept({ status: status.value, tag: query.tag || null, q }) : status;
}
