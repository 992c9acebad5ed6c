import type { Clock } from "#core/time/clock.ts";
import type { Stage } from "#core/smtp-reply.ts";
import { isLoopback } from "#core/addresses/loopback.ts";
import { relayLabel, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { about, fail, ok, warn, type Finding } from "./finding.ts";

const LIMITS = { connectMs: 5_000, greetingMs: 10_000, authMs: 10_000 };

/** Connects to a relay as the sender would, logs in, and leaves. Sends nothing. */
export async function checkRelay(relay: RelayAddress, clock: Clock): Promise<Finding> {
  const check = about("relay", `relay ${relayLabel(relay)}`);
  const session = smtpSession(relay, clock, LIMITS);
  const failure = await session.open();
  const { encrypted, loggedIn } = session;
  void session.close();
  if (failure !== null) {
    const reason = failure.reply === null ? failure.detail : `${failure.reply.code} ${failure.reply.text}`;
    return fail(check, `no session, at ${failure.stage}: ${reason}`, adviceOn(failure.stage, reason));
  }
  const login = loggedIn ? "logged in" : "without a login";
  if (relay.auth !== null && !loggedIn)
    return fail(
      check,
      "it takes no login, though SMTP_URL has one",
      "check the port: submission is 587 or 465",
    );
  if (!encrypted && !isLoopback(relay.host))
    return warn(
      check,
      `reached without TLS, ${login}`,
      "use smtps:// or another port: mail is readable on its way",
    );
  return ok(check, `reached ${encrypted ? "with TLS" : "on this machine"}, ${login}`);
}

function adviceOn(stage: Stage, reason: string): string {
  if (stage === "AUTH") return "check user and password in SMTP_URL; special characters are percent-encoded";
  if (reason.includes("from the first byte"))
    return "write smtp:// instead of smtps:// in SMTP_URL: such a port, for example 587, changes to TLS later (STARTTLS)";
  if (/certificate|tls|ssl/i.test(reason))
    return "check the relay's name against its certificate; smtps:// is for ports that speak TLS from the first byte";
  return "check host and port in SMTP_URL, and whether this machine may reach it (many networks block port 25)";
}
