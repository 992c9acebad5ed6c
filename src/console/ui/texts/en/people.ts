export const people = {
  title: "People and roles",
  says: "Who may sign in to this workspace, and what they may do.",
  invite: "Invite somebody",
  makeLink: "Create the link",
  email: "Email address",
  role: "Role",
  roles: {
    owner: "Everything, also people, keys and settings.",
    editor: "Everything but people, keys and settings.",
    viewer: "Looks at everything, changes nothing and exports nothing.",
  },
  link: "Link",
  linkSays:
    "Nothing was mailed. Give this link to them yourself: it works once, for 7 days, and is never shown again.",
  forgotten:
    "Somebody forgot their password? Remove them, then invite them again. If they are in other workspaces too, whoever runs the server makes them a link with “postrider user reset”.",
  lastSeen: "Last here",
  never: "Not yet",
  actions: "Actions",
  remove: "Remove",
  removeTitle: "Remove this person",
  removeSays: "They are signed out of this workspace at once. What they created stays.",
  none: "Nobody yet.",
};
