import type { Clock } from "#core/time/clock.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Random } from "#core/random.ts";
import { HTML_BYTES_MAX, type KeptLetter } from "./letter-shelf.ts";
import type { LetterStore } from "./store.ts";

/** A frame loads the letter at once. The rest of the time is for people who reload it. */
const KEPT_MS = 10 * 60_000;
const TOKEN_BYTES = 24;

type Parts = { readonly letters: LetterStore; readonly clock: Clock; readonly random: Random };

export type PreviewLetters = ReturnType<typeof previewLetters>;

/**
 * Letters for previews, kept for ten minutes. A frame with an origin of its own cannot get HTML from the page
 * around it, because that page's policy would apply. So each letter needs an address.
 */
export function previewLetters({ letters, clock, random }: Parts) {
  /** Here, because the timer would hold what is around it for ten minutes: a letter that is not kept any more. */
  const forgetLater = (): void => {
    // What cannot be freed now is freed with the next letter.
    clock.setTimer(KEPT_MS, () => void letters.forget(clock.now()).catch(() => undefined));
  };

  return {
    /** @throws AppError VALIDATION_ERROR for HTML that is too large */
    async keep(workspaceId: string, text: string): Promise<KeptLetter> {
      const html = new TextEncoder().encode(text);
      if (html.length > HTML_BYTES_MAX)
        throw new AppError("VALIDATION_ERROR", `html: at most ${HTML_BYTES_MAX} bytes can be looked at.`);
      const token = random.bytes(TOKEN_BYTES).toBase64({ alphabet: "base64url" });
      const letter = { token, workspaceId, html, expiresAt: clock.now() + KEPT_MS };
      await letters.keep(letter, clock.now());
      forgetLater();
      return letter;
    },

    /** The HTML of a letter; null where it is gone or never was. */
    find: (token: string): Promise<Uint8Array | null> => letters.find(token, clock.now()),
  };
}
