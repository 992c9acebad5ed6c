import type { Instant } from "#core/clock.ts";
import type { SignMessage } from "#mail/dkim/dkim.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import type { Composed, Letter } from "#deliveries/letter.ts";

/** A composer that threw (its links cannot be written just now, for one) has said nothing about the letter itself. */
export type Thrown = { readonly thrown: unknown };

/** A message composed and, where its workspace signs, signed. One that makes the composer throw must not stop the others. */
export async function composeSafely(
  letter: Letter,
  message: OwedMessage,
  date: Instant,
  sign: SignMessage | null,
): Promise<Composed | Thrown> {
  try {
    const composed = await letter.compose(message, date);
    if (sign === null || "problem" in composed) return composed;
    const bytes = await sign(composed.bytes);
    composed.done?.();
    return { bytes };
  } catch (error) {
    return { thrown: error };
  }
}
