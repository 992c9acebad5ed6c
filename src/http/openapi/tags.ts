/** What each group of routes is about, by the name that `apiRoutes` gives it. */
export const TAGS: Readonly<Record<string, string>> = {
  contacts: "The people to email, and whether they agreed to it.",
  attributes: "What you know about contacts beyond their fields: the names in use.",
  imports: "Files of contacts on their way in.",
  lists: "Named groups of contacts that campaigns are sent to.",
  segments: "Saved questions about contacts: who fits them is asked anew each time.",
  campaigns: "One-off mails to a list: written, scheduled, sent and counted.",
  forms: "Signup forms, and the public address they are submitted to.",
  automations: "Flows that react to a new subscriber, a tag or an event, and who is in them.",
  events: "What happened in your own application, so that automations can react to it.",
  send: "One message that a person's own action asked for, to 1 to 5 recipients.",
  scoring: "Points that contacts earn by events.",
  suppressions: "Addresses and domains that are never mailed.",
  consents: "Who agreed to marketing mail and who withdrew, as a log.",
  deliverability: "Whether mail leaves as it should, and what to do where it does not.",
  settings: "How the workspace sends: its sender, its hours and limits, its relay.",
  stats: "What happened in the workspace, by hour or day.",
  keys: "The API keys of the workspace.",
  webhooks: "What Postrider asks of a server of yours.",
  readers:
    "The links in every marketing mail. They need no key: the token in each is made for one recipient.",
  service: "The service itself. These routes need no key.",
};
