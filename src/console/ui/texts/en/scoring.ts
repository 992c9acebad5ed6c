export const scoring = {
  title: "Scoring",
  says: "Contacts earn points for events that your programs send. Segments and automations can use these points.",
  event: "Event",
  points: "Points",
  actions: "Actions",
  add: "Add rule",
  remove: "Remove",
  removed: (event: string) => `${event} gives no points any more.`,
  none: "No rules yet.",
};
