import type { Clock } from "#core/time/clock.ts";
import { errorText } from "#core/errors/thrown.ts";
import { inboundLabel, type InboundAddress } from "#mail/inbound/inbound-address.ts";
import { mailboxLabel, parseMailboxUrl } from "#mail/mailbox/mailbox-address.ts";
import { MailboxTrouble } from "#mail/mailbox/mailbox.ts";
import { mailboxOpener } from "#mail/mailbox/open-mailbox.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { about, fail, ok, type Finding } from "#doctor/finding.ts";

/** A server that takes the connection may still be silent for many minutes. */
const MAILBOX_MS = 30_000;

/** Opens a workspace's mailbox for bounces, as the server does, and changes nothing in it. */
export async function checkMailbox(
  { bounceMailbox }: Pick<Settings, "bounceMailbox">,
  clock: Clock,
): Promise<Finding[]> {
  if (bounceMailbox === "") return [];
  const address = parseMailboxUrl(bounceMailbox);
  if (!address.ok)
    return [
      fail(about("mailbox", "setting bounceMailbox"), address.refusal.message, "correct it in the settings"),
    ];
  const check = about("mailbox", `mailbox at ${mailboxLabel(address.value)}`);
  const cutting = new AbortController();
  const cancel = clock.setTimer(MAILBOX_MS, () => cutting.abort());
  try {
    const session = await mailboxOpener(clock)(address.value, cutting.signal);
    await session.close();
    return [ok(check, "it can be read")];
  } catch (error) {
    const why = cutting.signal.aborted ? `no answer within ${MAILBOX_MS / 1_000} s` : errorText(error);
    const isLogin = error instanceof MailboxTrouble && error.kind === "login";
    return [
      fail(
        check,
        `bounces are not read: ${why}`,
        isLogin
          ? "set bounceMailbox with the right user and password; special characters are percent-encoded"
          : "check host, port and folder in bounceMailbox, and whether this machine may reach it",
      ),
    ];
  } finally {
    cancel();
  }
}

const LIMITS = { connectMs: 5_000, greetingMs: 10_000, authMs: 10_000 };
const EVERY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Greets the port that takes mail. It answers while the server runs. */
export async function checkInboundPort(address: InboundAddress, clock: Clock): Promise<Finding> {
  const check = about("inbound_smtp", "INBOUND_SMTP");
  const host = EVERY_ADDRESS[address.host] ?? address.host;
  const label = inboundLabel({ ...address, host });
  const relays = parseRelayUrls(`smtp://${label}/?ignoreTLS=true`);
  const [relay] = relays.ok ? relays.value : [];
  const session = relay === undefined ? null : smtpSession(relay, clock, LIMITS);
  const failure = session === null ? { detail: "it cannot be asked" } : await session.open();
  void session?.close();
  if (failure === null) return ok(check, `${label} takes mail`);
  return fail(
    check,
    `nothing takes mail at ${label}: ${failure.detail}`,
    "start the server with INBOUND_SMTP; a port below 1024 needs the right to open it",
  );
}
