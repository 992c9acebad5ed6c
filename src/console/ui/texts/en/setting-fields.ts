/** The name and the effect of each setting. */
export const fields = {
  name: { label: "Name", says: "Of your newsletter, shop or firm. Readers see it below every letter." },
  mailingAddress: {
    label: "Postal address",
    says: "It stands at the end of every campaign; the law of many countries asks for it.",
  },
  timezone: { label: "Time zone", says: "Of quiet hours, schedules and daily figures." },
  language: { label: "Language of your readers", says: "Of sign-up pages and of the words below your mail." },
  brandColor: { label: "Colour", says: "Of buttons and links on sign-up pages." },
  logoUrl: { label: "Logo", says: "The https address of an image, for sign-up pages and confirmations." },
  fromName: { label: "Sender's name", says: "What readers see first in their inbox." },
  fromEmail: { label: "Sender's address", says: "At a domain of yours: its DNS has to allow it." },
  replyTo: { label: "Replies go to", says: "Empty: to the sender's address." },
  senderDomains: { label: "More sender domains", says: "Campaigns may use senders at these domains too." },
  smtpUrl: {
    label: "Relay of this workspace",
    says: "Empty: the relay of this Postrider. The password is never shown again.",
  },
  bounceDomain: { label: "Domain for reports", says: "Empty: reports go to the sender's address." },
  bounceMailbox: {
    label: "Mailbox for reports",
    says: "Postrider reads the reports in it, then moves them to a folder (with POP3 it deletes them).",
  },
  inboundComplaints: { label: "Read complaints", says: "Mail to abuse@ and fbl@ of the domain for reports." },
  sending: {
    label: "Send mail",
    says: "Off: nothing is sent until you turn it on again. Nothing is lost.",
  },
  autoPause: {
    label: "Pause automatically",
    says: "Campaigns stop when too many messages of the last week bounced or were complained about.",
  },
  quietHours: {
    label: "Quiet hours",
    says: "No campaign starts and automations wait in these hours, in the workspace's time zone.",
  },
  dailyCap: {
    label: "Campaign messages a day, at most",
    says: "A send that would exceed it is refused. Empty: no limit.",
  },
  domainLimits: {
    label: "Limits by provider",
    says: 'The domains of one provider share their limit. A provider that says "too fast" is slowed down automatically.',
  },
  warmUp: {
    label: "Warm-up of a new sender",
    says: "Providers distrust a new sender who begins with a hundred thousand. Campaigns send little at first, and more each day.",
  },
  doubleOptIn: {
    label: "Confirmation by mail (double opt-in)",
    says: "People who sign up get mail only after they follow the link in a confirmation mail.",
  },
  allowedOrigins: {
    label: "Sites with your forms",
    says: "Only these may submit forms, one a line. Empty: every site.",
  },
  trackOpens: {
    label: "Count opens",
    says: "By an invisible image. Some mail programs load it for everybody.",
  },
  trackClicks: { label: "Count clicks", says: "Links lead through this Postrider." },
};
