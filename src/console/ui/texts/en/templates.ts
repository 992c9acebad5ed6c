export const templates = {
  title: "Templates",
  new: "New template",
  none: "No templates yet",
  noneSays:
    "A template is a letter you write once and use again: for campaigns, and for mail sent by the API.",
  newSays: "Give it a name, and choose how to begin.",
  subject: "Subject",
  firstSubject: "Subject",
  nameMissing: "A template needs a name.",
  subjectMissing: "A template needs a subject.",
  create: "Create template",
  columns: { name: "Template", format: "Written in", changed: "Changed" },
  use: "Use in a campaign",
  remove: "Delete",
  removeTitle: "Delete this template?",
  removeSays: (name: string) =>
    `“${name}” is deleted. Campaigns made from it keep their letter. Mail that a program sends with its id is refused from then on.`,
  variables: "Values for the preview",
  variablesSays: "As JSON: what a program would send. Names that are not here stay empty.",
  notJson: 'This is not a JSON object yet. Write one, such as {"plan": "gold"}.',
  viewer: "You can look at this template. To change it, ask an owner for the role “Editor”.",
};
