import type { Contact } from "#contacts/contact.ts";
import { barredBy, type BarringFacts } from "#deliveries/eligibility.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";

type Owed = Pick<OwedMessage, "number" | "address" | "attempts" | "firstAttemptAt"> & BarringFacts;

/** An owed row, as the sender takes it. */
export function owedMessage(
  { number, address, attempts, firstAttemptAt, ...row }: Owed,
  now: number,
): OwedMessage {
  return { number, address, attempts, firstAttemptAt, checkedAt: barredBy(row) === null ? now : null };
}

/** The messages, with their contacts if they have one. */
export const withPeople = (
  messages: readonly OwedMessage[],
  people: ReadonlyMap<number, Contact>,
): OwedMessage[] =>
  messages.map((message) => {
    const person = people.get(message.number);
    return person === undefined ? message : { ...message, person };
  });
