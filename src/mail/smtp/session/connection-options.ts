import { isLoopback } from "#core/addresses/loopback.ts";
import { certificateWords } from "#core/text/certificate-words.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";
import type { RelayAddress } from "#mail/smtp/relay/relay-address.ts";
import type { StageLimits } from "./stage-limits.ts";

const BACKSTOP_MS = 60_000;

/**
 * The options for nodemailer's SMTPConnection. Our own timers act first; nodemailer's are only a second safety net.
 * Its idle time-out closes connections that were unused for longer than the reply to a dot may take. Closing always
 * cuts the socket: unsent bytes are never sent.
 */
export function connectionOptions(relay: RelayAddress, limits: StageLimits) {
  const setUpMs = limits.connectMs + limits.greetingMs + BACKSTOP_MS;
  return {
    host: relay.host,
    port: relay.port,
    secure: relay.secure,
    requireTLS: relay.requireTls,
    ignoreTLS: relay.ignoreTls,
    name: relay.name ?? undefined,
    tls: { rejectUnauthorized: relay.tls.rejectUnauthorized, servername: relay.tls.servername ?? undefined },
    connectionTimeout: setUpMs,
    greetingTimeout: setUpMs,
    socketTimeout: limits.dotMs + BACKSTOP_MS,
    socketCloseTimeout: 0,
  };
}

/** The relay asked for a certificate in the handshake of TLS 1.3, and got none. */
const WANTS_CERTIFICATE = "ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED";
/** The mail servers of many systems make a certificate of their own at their installation. */
const SELF_SIGNED = "DEPTH_ZERO_SELF_SIGNED_CERT";

type ConnectionError = {
  code?: string | undefined;
  originalCode?: string | undefined;
  responseCode?: number | undefined;
  response?: string | undefined;
  message: string;
};

/** With this code the message names the host, and the names in the certificate. */
const OTHER_NAME = "ERR_TLS_CERT_ALTNAME_INVALID";
/** What the TLS library says where the relay greets in plain text. It does not say what to do. */
const NO_TLS_YET = "ERR_SSL_WRONG_VERSION_NUMBER";

/**
 * A connection's error in one line for the log. It contains no reply text and no email address, because both may
 * name the recipient, and what answers a login like no relay may repeat the password.
 */
export function describeProblem(error: ConnectionError, { secure, host }: RelayAddress): string {
  if (error.responseCode !== undefined) return `the relay answered ${error.responseCode}`;
  const code = error.originalCode ?? error.code ?? "error";
  if (secure && code === NO_TLS_YET)
    return "the relay does not speak TLS from the first byte: write smtp:// instead of smtps://, as for port 587";
  if (code === "EAUTH" && error.response !== undefined) return `${code}: the answer is no reply of SMTP`;
  if (code === WANTS_CERTIFICATE)
    return `${code}: the relay wants to see a certificate, and none is ever shown: use a port where it takes a user and a password`;
  if (code === SELF_SIGNED && isLoopback(host))
    return `${code}: its certificate is self-signed; a relay on this machine may have ?tls.rejectUnauthorized=false in its URL`;
  const words = certificateWords(code);
  const why = words === code ? code : `${code}: ${words}`;
  if (error.message.includes("@") || (why !== code && code !== OTHER_NAME)) return why;
  return (error.message.includes(code) ? error.message : `${why}: ${error.message}`).slice(0, 200);
}

/** RFC 4954, 6: the reply a relay would give to a password sent in clear text. */
export const clearTextRefusal: SmtpReply = {
  code: 538,
  enhanced: "5.7.11",
  text: "The relay offers no encryption, so the password was not sent. Use smtps:// or another port, or allow it with ?ignoreTLS=true.",
};

/** RFC 1870, 6.1. */
export const sizeRefusal: SmtpReply = {
  code: 552,
  enhanced: "5.3.4",
  text: "The message is larger than the relay takes, by its own announcement.",
};

/** RFC 5321, 4.2.2: for a command that cannot be written in a valid form. */
export const unwritableRefusal: SmtpReply = {
  code: 501,
  enhanced: "5.5.2",
  text: "The sender's or the recipient's address cannot stand in an SMTP command.",
};
