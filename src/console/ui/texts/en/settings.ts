import { fields } from "./setting-fields.ts";

export const settings = {
  title: "Settings",
  ownersOnly: "Only owners change these.",
  sections: {
    workspace: "Workspace",
    senders: "Senders and DNS",
    relay: "Relay and reports",
    limits: "Hours and limits",
    signups: "Sign-ups and tracking",
    people: "People and roles",
    keys: "API keys",
    webhooks: "Webhooks",
    suppressions: "Never mailed",
    scoring: "Scoring",
    account: "Your account",
  },
  unreadableLimit: (line: string) => `This line cannot be read: ${line}`,
  says: {
    workspace: "How readers know you: on pages, and at the end of every mail.",
    senders: "Whom mail comes from.",
    relay: "Mail leaves through the relay of this Postrider, unless the workspace has one of its own.",
    limits: "When campaigns go out, how much of them, and what stops them.",
    signups: "How people join, and what is counted of what they do.",
  },
  captured:
    "This Postrider has no relay: mail is captured, and you read it in the mailbox. Nobody else gets it.",
  fields,
  checks: "What mailbox providers see",
  checksSay: "Checked while you look; DNS changes can take an hour to arrive.",
  levels: { ok: "Fine", warning: "Look at this", problem: "Problem" },
  recordType: "Type",
  recordName: "Name",
  recordValue: "Value",
  reports: "Reports of failed mail",
  reportsSay:
    "Mailbox providers report addresses that are gone and people who complain. Postrider stops mailing them.",
  test: {
    title: "Try it",
    says: "One message, sent now, so that you see it arrive.",
    to: "Send a test to",
    send: "Send a test",
    sent: (to: string) => `The relay took the message for ${to}.`,
    read: "Read it in the mailbox",
    subject: "A test of your Postrider",
    body: "It works: this message left through the relay of your Postrider.\n",
  },
};
