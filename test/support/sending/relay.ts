import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { parseRelayUrls, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { Offer, SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import type { StageLimits } from "#mail/smtp/session/stage-limits.ts";

/** The one relay of an SMTP_URL. */
export function relayAt(url: string): RelayAddress {
  const [relay] = unwrap(parseRelayUrls(url));
  if (relay === undefined) throw new Error("no relay in the URL");
  return relay;
}

/** The same short limit for every stage, for a relay that stalls. */
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

/** An open session; otherwise the test fails. */
export async function openSession(
  url: string,
  limits: Partial<StageLimits> = limitsOf(5_000),
): Promise<SmtpSession> {
  const session = smtpSession(relayAt(url), systemClock, limits);
  const failure = await session.open();
  if (failure !== null) throw new Error(`The session did not open: ${JSON.stringify(failure)}`);
  return session;
}

/** An offer that has reached its dot; otherwise the test fails. */
export async function atTheDot(
  session: SmtpSession,
  message: string | Uint8Array,
  envelope = toAda,
): Promise<Extract<Offer, { ok: true }>> {
  const offer = await session.offer(envelope, message);
  if (!offer.ok) throw new Error(`The message was not taken: ${JSON.stringify(offer.failure)}`);
  return offer;
}
