export const overview = {
  title: "Overview",
  lastDays: "The last 30 days",
  newContacts: "New contacts",
  sent: "Sent",
  opened: "Opened",
  clicked: "Clicked",
  left: "Left",
  bounced: "Bounced",
  campaigns: "Latest campaigns",
  noCampaigns: "No campaigns yet",
  noCampaignsSays: "What you send appears here, with what became of it.",
  states: {
    DRAFT: "Draft",
    SCHEDULED: "Scheduled",
    SENT: "Sent",
  },
  columns: { name: "Name", state: "State", sent: "Sent", opened: "Opened", when: "When" },
};
