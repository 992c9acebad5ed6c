import type { Clock } from "#core/clock.ts";
import { AppError } from "#core/errors.ts";
import type { Random } from "#core/random.ts";
import { HTML_BYTES_MAX, withLetter, type KeptLetter } from "./letter-shelf.ts";

/** A frame asks at once; the rest is for somebody who reloads it. */
const KEPT_MS = 10 * 60_000;
const TOKEN_BYTES = 24;

type Parts = { readonly clock: Clock; readonly random: Random };

export type PreviewLetters = ReturnType<typeof previewLetters>;

/**
 * Letters that somebody looks at, for ten minutes, in memory only. A frame of an origin of its own cannot be
 * given HTML by the page around it (a page's own policy would hold for it), so it has to have an address.
 */
export function previewLetters({ clock, random }: Parts) {
  let kept: readonly KeptLetter[] = [];
  return {
    /** @throws AppError VALIDATION_ERROR for HTML that is too large */
    keep(workspaceId: string, text: string): KeptLetter {
      const html = new TextEncoder().encode(text);
      if (html.length > HTML_BYTES_MAX)
        throw new AppError("VALIDATION_ERROR", `html: at most ${HTML_BYTES_MAX} bytes can be looked at.`);
      const token = random.bytes(TOKEN_BYTES).toBase64({ alphabet: "base64url" });
      const letter = { token, workspaceId, html, expiresAt: clock.now() + KEPT_MS };
      kept = withLetter(kept, letter);
      clock.setTimer(KEPT_MS, () => {
        kept = kept.filter((one) => one !== letter);
      });
      return letter;
    },

    /** The HTML of a letter; null where it is gone or never was. */
    find(token: string): Uint8Array | null {
      const found = kept.find((letter) => letter.token === token);
      return found !== undefined && found.expiresAt > clock.now() ? found.html : null;
    },
  };
}
