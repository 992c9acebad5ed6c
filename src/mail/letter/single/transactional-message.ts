import type { Instant } from "#core/time/clock.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { checkMessage } from "#mail/mime/byte-check.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import { field, formatDate, namedField, oneLine } from "#mail/mime/headers.ts";
import { messageIdFields } from "#mail/letter/message-id.ts";
import { addressProblem } from "#mail/letter/slots/wire-problems.ts";

/** What differs between the messages. `messageId` has no angle brackets and is the same at every attempt. */
export type TransactionalRecipient = {
  readonly address: string;
  readonly name: string;
  readonly messageId: string;
  readonly date: Instant;
};

export type CompiledTransactional = { compose(recipient: TransactionalRecipient): Result<FinishedMessage> };

/** The result of all slow work on a request's message, as plain data. */
export type WrittenTransactional = {
  /** `shared`: the header fields that all messages share. `body`: everything after the first part of the header. */
  readonly shared: string;
  readonly body: string;
};

/** Makes the messages from what `writeTransactional` wrote. */
export function readyTransactional({ shared, body }: WrittenTransactional): CompiledTransactional {
  const head = (recipient: TransactionalRecipient): string => recipientHeaders(recipient) + shared;
  return {
    compose(recipient) {
      const unfit = addressProblem(recipient);
      if (unfit !== null) return invalid(unfit);
      const header = head(recipient);
      const checked = checkMessage(`${header}\r\n`, unfolded(toField(recipient)));
      return checked.ok ? accept({ bytes: header + body }) : checked;
    },
  };
}

/** The header fields of one message. */
export function recipientHeaders(recipient: TransactionalRecipient): string {
  return (
    toField(recipient) + field("Date", formatDate(recipient.date)) + messageIdFields(recipient.messageId)
  );
}

const toField = ({ name, address }: TransactionalRecipient): string =>
  oneLine(name) === "" ? field("To", address) : namedField("To", name, address);

/** The value of a folded field, on one line. */
const unfolded = (written: string): string =>
  written
    .slice(written.indexOf(":") + 1)
    .replace(/\r\n/g, "")
    .trim();
