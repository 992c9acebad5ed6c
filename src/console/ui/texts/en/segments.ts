import { counted, type Quantity } from "../counted.ts";

export const segments = {
  title: "Segments",
  says: "Saved searches for contacts. Who is in a segment is found anew each time.",
  create: "Create a segment",
  empty: "No segments yet",
  emptySays:
    "A segment finds people by what you know of them: their tags, what they opened, what they bought.",
  name: "Name",
  people: "People",
  changed: "Changed",
  newTitle: "New segment",
  who: "Who is in it",
  counting: "Counting …",
  count: (total: Quantity, subscribed: Quantity) =>
    `${counted(total, "person", "people")}, ${subscribed.shown} of them subscribed`,
  everybody: "Add a condition: a segment needs one.",
  newest: "The newest of them",
  nobody: "Nobody at the moment.",
  writeTo: "Write to them",
  seePeople: ({ shown }: Quantity) => `See all ${shown}`,
  uses: "Used by",
  noUses: "Nothing uses it.",
  kinds: { segment: "Segment", campaign: "Campaign" },
  unsaved: "Not saved yet: campaigns still use the segment as it was.",
  unsavedNew: "Not created yet. It is kept on this device.",
  save: "Save",
  saveAs: "Create",
  delete: "Delete this segment",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteSays: "Its people stay; only the segment is deleted. This cannot be undone.",
  mayNotDelete: "To delete it, first change or delete what uses it.",
};
