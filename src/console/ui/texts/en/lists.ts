import { counted, type Quantity } from "../counted.ts";

export const lists = {
  title: "Lists",
  says: "People you write to together. A campaign goes to a list, a segment, or both.",
  create: "Create a list",
  name: "Name",
  nameMissing: "A list needs a name.",
  noneYet: "There is no list yet. Create one here.",
  firstName: "Name of the list",
  empty: "No lists yet",
  emptySays: "A list holds the people who asked for the same thing, such as your newsletter.",
  search: "Search lists",
  notFound: "No list has such a name",
  notFoundSays: "Enter fewer letters, or another part of the name.",
  showAll: "Show all lists",
  members: "People",
  created: "Created",
  isPublic: "Public",
  readers: "What readers see",
  publicSays: "Readers find it on their preferences page, and can join and leave it there.",
  publicName: "Name for readers",
  publicNameSays: (name: string) => `Empty: ${name}`,
  description: "What it is about",
  nobodySays:
    "People come onto it from a file, from a form that signs up to this list, or from the contacts: choose them there, then Tag / List.",
  writeTo: "Write to them",
  seePeople: (n: Quantity) => `See its ${counted(n, "person", "people")}`,
  delete: "Delete this list",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteSays:
    "Its people stay; only the list is deleted. A campaign that is scheduled to this list alone becomes a draft again. This cannot be undone.",
};
