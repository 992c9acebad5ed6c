import { systemClock } from "#core/clock.ts";
import { unwrap } from "#core/errors.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay-address.ts";
import type { Offer, SmtpSession } from "#mail/smtp/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/smtp-session.ts";
import type { StageLimits } from "#mail/smtp/stage-limits.ts";

/** The one relay of an SMTP_URL. */
export function relayAt(url: string): RelayAddress {
  const [relay] = unwrap(parseRelayUrls(url));
  if (relay === undefined) throw new Error("no relay in the URL");
  return relay;
}

/** Every limit alike and short, for a relay that stalls. */
export function limitsOf(ms: number): StageLimits {
  return {
    connectMs: ms,
    greetingMs: ms,
    authMs: ms,
    mailMs: ms,
    rcptMs: ms,
    dataMs: ms,
    bodyMs: ms,
    dotMs: ms,
    quitMs: ms,
  };
}

const fromPostrider = "bounces@mail.example.com";
export const toAda = { from: fromPostrider, to: "ada@example.com" };

/** A session that stands, or the test fails. */
export async function openSession(
  url: string,
  limits: Partial<StageLimits> = limitsOf(5_000),
): Promise<SmtpSession> {
  const session = smtpSession(relayAt(url), systemClock, limits);
  const failure = await session.open();
  if (failure !== null) throw new Error(`The session did not open: ${JSON.stringify(failure)}`);
  return session;
}

/** An offer that stands at its dot, or the test fails. */
export async function atTheDot(
  session: SmtpSession,
  message: string | Uint8Array,
  envelope = toAda,
): Promise<Extract<Offer, { ok: true }>> {
  const offer = await session.offer(envelope, message);
  if (!offer.ok) throw new Error(`The message was not taken: ${JSON.stringify(offer.failure)}`);
  return offer;
}

/** Resolves once `holds()` is true; asks again whenever the event loop has turned. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
