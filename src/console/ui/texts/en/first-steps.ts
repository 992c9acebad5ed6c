export const firstSteps = {
  title: "First steps",
  says: "Five steps to your first campaign. What you enter is saved as you go.",
  done: "Done",
  later: "Later",
  laterSays: "For later: mail is captured here until there is a mail server to send it.",
  steps: {
    identity: {
      title: "Say who you are",
      says: "The sender and the postal address that every campaign shows.",
    },
    relay: { title: "Check that mail goes out", says: "Send yourself a test." },
    dns: {
      title: "Set up your domain",
      says: "Records that mailbox providers check before they trust your mail.",
    },
    contacts: { title: "Bring your readers", says: "Import a file, or add the first ones by hand." },
    campaign: { title: "Send your first campaign", says: "Write it, look at it, send it." },
  },
  doneBy: {
    owner: (role: string) => `An owner of the workspace does this. You are here as ${role}.`,
    editor: (role: string) => `An editor or an owner of the workspace does this. You are here as ${role}.`,
  },
  noDns:
    "Mail is captured here, so nobody looks these records up yet. They are checked as soon as there is a relay.",
  toContacts: "Add by hand",
  next: (step: string) => `Next: ${step}`,
  lacking: (fields: string) => `Still missing: ${fields}`,
  asItCame: (zone: string, language: string) =>
    `Times are in ${zone}, and the words below your letters are in ${language}.`,
  take: (what: string) => `Use ${what}`,
  toCampaigns: "Go to campaigns",
};
