import { present } from "#core/present.ts";
import { newAccount } from "#deliveries/moves/account.ts";
import { laterSource, sourceRange, type SingleLetter } from "#storage/common/ledger/single-letter.ts";
import { LostRace } from "#storage/postgres/engine/failures.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { deliveries, mailings } from "#storage/postgres/schema/schema.ts";
import { countIn } from "#storage/postgres/ledger/moves/tally.ts";

/** A message that no plan writes: a confirmation, a mail of an automation, or a message of a request. */
type Single = {
  readonly mailing: number;
  readonly at: number;
  /** The only node that may send it; null: any. */
  readonly node: number | null;
};
type Recipient = { readonly contact: number | null; readonly address: string };

const FIND_MAILING = `SELECT seq FROM mailings WHERE kind = $1 AND source_id >= $2 AND source_id < $3
  AND held = 0 AND phase = 'sending' ORDER BY source_id LIMIT 1`;
const MAKE_MAILING = `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at)
  VALUES ($1, $2, $3, 'sending', $4, $5, $5) ON CONFLICT DO NOTHING RETURNING seq`;

/**
 * The mailing of a letter, which is made for the first message. One that has been held since a backup was restored
 * keeps only what was queued then, and later messages get a mailing of their own.
 * @throws LostRace if other transactions keep making it meanwhile
 */
export async function mailingOf(
  tx: Session,
  letter: SingleLetter,
): Promise<{ readonly seq: number; readonly isNew: boolean }> {
  type Found = Row<typeof mailings, "seq">;
  const { workspace, kind, month, at } = letter;
  for (const source of [letter.sourceId, laterSource(letter)]) {
    const known = await tx.row<Found>(FIND_MAILING, [kind, ...sourceRange(letter)]);
    if (known !== null) return { seq: known.seq, isNew: false };
    // Waits for another transaction that is creating the same: then it is found, or it is held.
    const made = await tx.row<Found>(MAKE_MAILING, [workspace, kind, source, month, at]);
    if (made === null) continue;
    await addContent(tx, made.seq, letter.content());
    return { seq: made.seq, isNew: true };
  }
  throw new LostRace("somebody else has made the mailing meanwhile");
}

const ADD_CONTENT = "INSERT INTO mailing_contents (mailing, content) VALUES ($1, $2)";

/** Adds the letter of a mailing, as JSON. */
export const addContent = (tx: Session, mailing: number, content: string): Promise<unknown> =>
  tx.run(ADD_CONTENT, [mailing, content]);

const OWE = `INSERT INTO retries (message, mailing, at, node)
  SELECT message, $2::int8, $3::int8, $4::int8 FROM unnest($1::int8[]) AS message`;

/** Makes messages due at once. They belong to no slice: nodes find them among the deferred ones. */
export const owe = (
  tx: Session,
  { mailing, at, node }: Single,
  messages: readonly number[],
): Promise<unknown> => tx.run(OWE, [messages, mailing, at, node]);

/** An address may get several messages of a mailing. */
const ADD = `INSERT INTO deliveries (mailing, contact, address, visit, state)
  SELECT $1, p.contact, p.address,
    coalesce((SELECT max(visit) + 1 FROM deliveries WHERE mailing = $1 AND address = p.address), 0), 'queued'
  FROM unnest($2::int8[], $3::text[]) WITH ORDINALITY AS p (contact, address, n)
  ORDER BY p.n ON CONFLICT DO NOTHING RETURNING seq, address`;

/**
 * Queues messages of one mailing, in an open transaction, and returns their numbers in this order. They belong to
 * no slice: nodes find them among the deferred ones, and they are due at once. Each address at most once.
 * @throws LostRace if another transaction has queued one for the same address meanwhile
 */
export async function queueMessages(
  tx: Session,
  { mailing, at, node }: Single,
  recipients: readonly Recipient[],
): Promise<number[]> {
  const added = await tx.rows<Row<typeof deliveries, "seq" | "address">>(ADD, [
    mailing,
    recipients.map(({ contact }) => contact),
    recipients.map(({ address }) => address),
  ]);
  if (added.length < recipients.length) throw new LostRace("an address got a message meanwhile");
  const seqs = new Map(added.map(({ address, seq }) => [address, seq]));
  const messages = recipients.map(({ address }) => present(seqs.get(address), "message that was just made"));
  await owe(tx, { mailing, at, node }, messages);
  await countIn(tx, mailing, { ...newAccount(), queued: messages.length }, messages.length);
  return messages;
}

/** The same for one message. */
export async function queueMessage(
  tx: Session,
  { contact, address, ...single }: Single & Recipient,
): Promise<number> {
  const [message] = await queueMessages(tx, single, [{ contact, address }]);
  return present(message, "message that was just made");
}
