import { nextLoopTurn } from "#core/time/event-loop.ts";

/** So many are done in some milliseconds. */
const AT_ONCE = 2_000;

/** A number and an id of at most 70 characters, and the line end (RFC 1939, section 7). */
const LINE_BYTES_MAX = 100;
const LINE = /^(\d{1,9}) ([\x21-\x7E]{1,70})\r?$/;
const LF = 0x0a;

/**
 * The number in this session and the unique id of each mail, in the server's order, which is that of arrival, from the
 * lines that answer UIDL. Others go on meanwhile, because a mailbox may hold hundreds of thousands of mails.
 */
export async function uidsIn(answer: Uint8Array): Promise<Map<string, string>> {
  const lines = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const uids = new Map<string, string>();
  let [start, count] = [0, 0];
  for (let end = lines.indexOf(LF); end !== -1; end = lines.indexOf(LF, start)) {
    // A part of the whole as one string would keep all of it in memory.
    const line = end - start > LINE_BYTES_MAX ? "" : lines.toString("latin1", start, end);
    const [, number, uid] = LINE.exec(line) ?? [];
    if (number !== undefined && uid !== undefined) uids.set(number, uid);
    start = end + 1;
    if (++count % AT_ONCE === 0) await nextLoopTurn();
  }
  return uids;
}

/** The numbers of mail that is in none of the sets. They forget ids that are no longer on the server. */
export async function notIn(
  uids: ReadonlyMap<string, string>,
  known: readonly Set<string>[],
): Promise<Set<string>> {
  const open = new Set<string>();
  const present = new Set<string>();
  let count = 0;
  for (const [number, uid] of uids) {
    present.add(uid);
    if (!known.some((ids) => ids.has(uid))) open.add(number);
    if (++count % AT_ONCE === 0) await nextLoopTurn();
  }
  for (const ids of known)
    for (const uid of ids) {
      if (!present.has(uid)) ids.delete(uid);
      if (++count % AT_ONCE === 0) await nextLoopTurn();
    }
  return open;
}
