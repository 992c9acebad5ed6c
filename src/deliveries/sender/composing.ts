import type { Instant } from "#core/time/clock.ts";
import { accept } from "#core/errors/errors.ts";
import type { SignMessage } from "#mail/dkim/dkim.ts";
import { replacedBy, returnedBy } from "#mail/letter/message-id.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";
import type { Composed, Letter } from "#deliveries/letter.ts";

/**
 * What a composer threw. It says nothing about the letter itself: for example, its links could not be written
 * just now.
 */
export type Thrown = { readonly thrown: unknown };

/**
 * Composes a message for the relay at `host` and, if its workspace signs, signs it. A composer that throws must not
 * stop the others.
 */
export async function composeSafely(
  letter: Letter,
  message: OwedMessage,
  date: Instant,
  { host, sign }: { readonly host: string; readonly sign: SignMessage | null },
): Promise<Composed | Thrown> {
  try {
    const composed = await letter.compose(message, date);
    if (!composed.ok) return composed;
    const finished = returnedBy(host, composed.value);
    return accept(sign === null ? finished : await sign(finished, replacedBy(host)));
  } catch (error) {
    return { thrown: error };
  }
}
