/**
 * Header fields that control a relay: whom else to mail, which template, when, under which account. They are
 * refused, because `POST /send` has its own fields for these decisions. Case does not matter. A `-` at the end
 * covers every name with that prefix.
 */
const STEERING: readonly (readonly [name: string, relay: string])[] = [
  ["x-smtpapi", "SendGrid"],
  ["x-mc-", "Mailchimp Transactional"],
  ["x-mandrill-", "Mailchimp Transactional"],
  ["x-msys-", "SparkPost"],
  ["x-ses-", "Amazon SES"],
  ["x-mailgun-", "Mailgun"],
  ["x-pm-", "Postmark"],
  ["x-mailin-", "Brevo"],
  ["x-sib-", "Brevo"],
  ["x-mj-", "Mailjet"],
  ["x-mailjet-", "Mailjet"],
  ["x-mailersend-", "MailerSend"],
  ["x-elasticemail-", "Elastic Email"],
  ["x-smtp2go-", "SMTP2GO"],
  ["x-mt-", "Mailtrap"],
  ["x-xsmailingid", "SocketLabs"],
  ["x-virtual-mta", "PowerMTA"],
  ["x-virtualmta", "PowerMTA"],
  ["x-vmta", "PowerMTA"],
  ["x-job", "PowerMTA"],
  ["x-envid", "PowerMTA"],
  // Bounce reports are matched by this header.
  ["x-postrider-", "Postrider"],
];

/** The relay that a header field controls; null for any other field. */
export function steeredRelay(name: string): string | null {
  const lower = name.toLowerCase();
  const found = STEERING.find(([known]) => (known.endsWith("-") ? lower.startsWith(known) : lower === known));
  return found?.[1] ?? null;
}
