import { withLetter, type KeptLetter, type Sized } from "#previews/letter-shelf.ts";
import type { LetterStore } from "#previews/store.ts";

/** In the memory of the one serving process, so that no draft is copied to the disk and into backups. */
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
