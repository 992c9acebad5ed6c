import { nextLoopTurn } from "#core/time/event-loop.ts";

/** So many are done in some milliseconds. */
const AT_ONCE = 2_000;

/** An id has at most 70 characters (RFC 1939, section 7). Of servers that write more, this much counts. */
const LINE_BYTES_MAX = 500;
/** One space, and no space in the id: but a mail that a server lists in another way has to be read too. */
const LINE = /^(\d{1,9})[ \t]+(.+)$/;
const LF = 0x0a;

/**
 * The number in this session and the unique id of each mail, in the server's order, which is that of arrival, from the
 * lines that answer UIDL. An id that several mails have is "" for each: what was done with one of them says nothing of
 * the others. Others go on meanwhile, because a mailbox may hold hundreds of thousands of mails.
 */
export async function uidsIn(answer: Uint8Array): Promise<Map<string, string>> {
  const lines = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const uids = new Map<string, string>();
  const seen = new Set<string>();
  const shared = new Set<string>();
  let [start, count] = [0, 0];
  for (let end = lines.indexOf(LF); end !== -1; end = lines.indexOf(LF, start)) {
    // A part of the whole as one string would keep all of it in memory.
    const line = lines.toString("latin1", start, Math.min(end, start + LINE_BYTES_MAX));
    const [, number, uid] = LINE.exec(line.trim()) ?? [];
    if (number !== undefined && uid !== undefined) {
      uids.set(number, uid);
      (seen.has(uid) ? shared : seen).add(uid);
    }
    start = end + 1;
    if (++count % AT_ONCE === 0) await nextLoopTurn();
  }
  for (const [number, uid] of uids) {
    if (shared.has(uid)) uids.set(number, "");
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
