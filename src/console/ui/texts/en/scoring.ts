export const scoring = {
  title: "Scoring",
  says: "Contacts earn points by events that your own programs send. Segments and automations can ask for them.",
  event: "Event",
  points: "Points",
  actions: "Actions",
  add: "Add rule",
  remove: "Remove",
  removed: (event: string) => `${event} gives no points any more.`,
  none: "No rules yet.",
};
