import { accept, invalid, type Result } from "#core/errors.ts";
import { isContactStatus, type ContactStatus } from "./contact.ts";

/** Which contacts a list shows; what is null does not filter. All of them have to fit. */
export type ContactFilter = {
  readonly status: ContactStatus | null;
  /** Carries exactly this tag. */
  readonly tag: string | null;
  /** Has this text, in any case, in its address or in one of its names. */
  readonly q: string | null;
};

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Reads `status`, `tag` and `q` (docs/contract.md "Contacts"). An empty filter is none (docs/decisions.md
 * "Pagination").
 */
export function parseContactFilter(query: Query): Result<ContactFilter> {
  const status = query.status || null;
  if (status !== null && !isContactStatus(status)) {
    return invalid("`status` must be PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.");
  }
  return accept({ status, tag: query.tag || null, q: query.q || null });
}
