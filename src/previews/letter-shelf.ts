import type { Instant } from "#core/time/clock.ts";

/** A letter that is kept for a preview. */
export type KeptLetter = {
  readonly token: string;
  readonly workspaceId: string;
  readonly html: Uint8Array;
  readonly expiresAt: Instant;
};

export const HTML_BYTES_MAX = 1024 * 1024;
/** A workspace previews only a few letters at a time. */
const WORKSPACE_BYTES_MAX = 2 * HTML_BYTES_MAX;
const ALL_BYTES_MAX = 16 * HTML_BYTES_MAX;
/** The limit however small they are, because each new letter is compared with all. */
const ALL_MAX = 1_000;

/** The part of a letter that the limits need. */
export type Sized = { readonly workspaceId: string; readonly bytes: number };

/**
 * What is kept once a letter is added, oldest first. The new letter is always kept. Others are dropped, oldest
 * first, and first those of the same workspace: no workspace may push out the letters of all others.
 */
export function withLetter<T extends Sized>(kept: readonly T[], added: T): readonly T[] {
  let own = added.bytes;
  let all = added.bytes;
  const staying = [added];
  for (const letter of kept.toReversed()) {
    const isOwn = letter.workspaceId === added.workspaceId;
    if (staying.length >= ALL_MAX) break;
    if (all + letter.bytes > ALL_BYTES_MAX || (isOwn && own + letter.bytes > WORKSPACE_BYTES_MAX)) continue;
    all += letter.bytes;
    if (isOwn) own += letter.bytes;
    staying.push(letter);
  }
  return staying.toReversed();
}
