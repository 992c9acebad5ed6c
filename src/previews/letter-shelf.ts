import type { Instant } from "#core/clock.ts";

/** A letter that somebody looks at. */
export type KeptLetter = {
  readonly token: string;
  readonly workspaceId: string;
  readonly html: Uint8Array;
  readonly expiresAt: Instant;
};

export const HTML_BYTES_MAX = 1024 * 1024;
/** A workspace looks at a few letters at a time. */
const WORKSPACE_BYTES_MAX = 2 * HTML_BYTES_MAX;
const ALL_BYTES_MAX = 16 * HTML_BYTES_MAX;

/**
 * What is kept once a letter is added, oldest first. The new one always is. The oldest give way: first the
 * workspace's own, so that one workspace cannot cost all others their letters.
 */
export function withLetter(kept: readonly KeptLetter[], added: KeptLetter): readonly KeptLetter[] {
  let own = added.html.length;
  let all = added.html.length;
  const staying = [added];
  for (const letter of kept.toReversed()) {
    const size = letter.html.length;
    const isOwn = letter.workspaceId === added.workspaceId;
    if (all + size > ALL_BYTES_MAX || (isOwn && own + size > WORKSPACE_BYTES_MAX)) continue;
    all += size;
    if (isOwn) own += size;
    staying.unshift(letter);
  }
  return staying;
}
