import { withLetter, type KeptLetter, type Sized } from "#previews/letter-shelf.ts";
import type { LetterStore } from "#previews/store.ts";

/** In the memory of the one process that serves: no letter that somebody writes has a copy on the disk, and in backups. */
export function shownLetterStore(): LetterStore {
  let kept: readonly (KeptLetter & Sized)[] = [];
  return {
    async keep(letter) {
      kept = withLetter(kept, { ...letter, bytes: letter.html.length });
    },
    async find(token, now) {
      const found = kept.find((letter) => letter.token === token);
      return found !== undefined && found.expiresAt > now ? found.html : null;
    },
    async forget(now) {
      kept = kept.filter(({ expiresAt }) => expiresAt > now);
    },
  };
}
