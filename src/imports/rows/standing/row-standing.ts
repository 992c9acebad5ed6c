/** What a row says of a person's standing: in columns that say who left, and in our own column `status`. */
import { statusOfSuppressed } from "#contacts/consent/consent.ts";
import { CONTACT_STATUSES, isContactStatus, type ContactStatus } from "#contacts/contact.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { ImportColumns } from "#imports/rows/columns.ts";

export type RowStanding = {
  readonly status: ContactStatus;
  /** Why they are never to be mailed, whatever their status; null: nothing says so. */
  readonly suppress: SuppressionReason | null;
  /** Nothing says that they did not agree, so a time of consent counts. */
  readonly hasAgreed: boolean;
};

/** Makes the reader of it: first the columns that say who left count, then our own column. */
export function standingReader(
  { standing, headers }: ImportColumns,
  ownPlace: number,
  defaultStatus: ContactStatus | null,
) {
  return (cells: readonly string[]): Result<RowStanding> => {
    let hasAgreed = true;
    let unread: string | null = null;
    for (const { place, header, tool, standingOf: read } of standing) {
      const cell = cells[place] ?? "";
      const shown = read(cell);
      if (shown === "notAgreed") hasAgreed = false;
      if (shown === null || shown === "notAgreed") continue;
      // Another column may still say that the person left.
      if (shown === "unknown") unread ??= unknownStanding(header, cell, tool);
      else if (typeof shown === "object")
        return accept({ ...shown, status: statusOfSuppressed(shown.suppress), hasAgreed });
      else if (shown !== "default")
        return accept({ status: shown, suppress: null, hasAgreed: hasAgreed && shown !== "PENDING" });
      else if (unread === null) return stands(defaultStatus ?? "SUBSCRIBED", hasAgreed);
    }
    if (unread !== null) return invalid(unread);
    const cell = cells[ownPlace] ?? "";
    const isSilent = cell.trim() === "";
    const unfilled = isSilent ? standing.find(({ mustBeFilled }) => mustBeFilled) : undefined;
    if (unfilled !== undefined)
      return invalid(
        `the column ${quoted(unfilled.header)} is empty, so nobody knows whether this person left: fill it in, or add a column status`,
      );
    const status = isSilent ? given(defaultStatus) : statusIn(cell, headers[ownPlace] ?? "status");
    return status.ok ? stands(status.value, hasAgreed) : status;
  };
}

/**
 * Reads a status from an option or a cell, in any case. Never guesses: a misspelt opt-out must not subscribe
 * anybody.
 */
export function parseImportStatus(text: string): Result<ContactStatus> {
  const status = text.trim().toUpperCase();
  return isContactStatus(status)
    ? accept(status)
    : invalid(`the status ${quoted(text)} is none of ${CONTACT_STATUSES.join(", ")}`);
}

/** Most other tools have a column of this name, with words of their own. */
function statusIn(cell: string, header: string): Result<ContactStatus> {
  const status = parseImportStatus(cell);
  if (status.ok) return status;
  return invalid(
    `the status ${quoted(cell)} is none of ${CONTACT_STATUSES.join(", ")}: write one of them, or have the column read as another tool's (\`mapping\`, --map '${header}=subscribed')`,
  );
}

const stands = (status: ContactStatus, hasAgreed: boolean): Result<RowStanding> =>
  accept({
    status: status === "SUBSCRIBED" && !hasAgreed ? "PENDING" : status,
    suppress: null,
    hasAgreed,
  });

const unknownStanding = (header: string, cell: string, tool: string | null): string =>
  tool === null
    ? `the column ${quoted(header)} may say who left, and ${quoted(cell)} is neither a yes nor a no: write one, or say what the column becomes instead (\`mapping\`, --map '${header}=')`
    : `the status ${quoted(cell)} is none that ${tool} writes`;

function given(status: ContactStatus | null): Result<ContactStatus> {
  return status === null
    ? invalid("the row has no status: fill it in, or give one for the whole file")
    : accept(status);
}
