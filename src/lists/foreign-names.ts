/**
 * Names that other services use for the fields of lists and their members, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const MEMBERS = "make the list, then add people with `POST /lists/{id}/contacts`";
const IDS = "send ids as `contactIds`; `POST /contacts` answers the id of an address, known or new";

export const FOREIGN_LIST_FIELDS = {
  title: "it is called `name`",
  listName: "it is called `name`",
  label: "it is called `name`",
  contacts: MEMBERS,
  contactIds: MEMBERS,
  emails: MEMBERS,
  members: MEMBERS,
  subscribers: MEMBERS,
  optin: "the workspace's setting `doubleOptIn` decides that",
  doubleOptin: "the workspace's setting `doubleOptIn` decides that",
  public: "it is one of the options: `PATCH /lists/{id}/options`",
  description: "it is one of the options: `PATCH /lists/{id}/options`",
  folderId: "lists have no folders",
  rules: "a list has those who were added to it",
  filter: "a list has those who were added to it",
  conditions: "a list has those who were added to it",
} as const;

export const FOREIGN_MEMBER_FIELDS = {
  email: IDS,
  emails: IDS,
  contact: IDS,
  contacts: IDS,
  ids: "it is called `contactIds`",
  id: "it is called `contactId`",
  members: IDS,
  subscribers: IDS,
  subscriberIds: "it is called `contactIds`",
  subscriberId: "it is called `contactId`",
  status: "contacts keep their own status: change it with `PATCH /contacts/{id}`",
  action: "this adds; take somebody off with `DELETE /lists/{id}/contacts/{contactId}`",
  all: "name them as `contactIds`",
} as const;

export const FOREIGN_LIST_FILTERS = {
  name: "search with `q`",
  status: "a list has no status",
  contactId: "ask `GET /contacts/{id}/lists`",
} as const;

export const FOREIGN_OPTION_FIELDS = {
  name: "it is called `publicName` here; the list itself is renamed with `PATCH /lists/{id}`",
  title: "it is called `publicName`",
  displayName: "it is called `publicName`",
  isPublic: "it is called `public`",
  visibility: "it is called `public`",
  private: "it is called `public`",
  optin: "the workspace's setting `doubleOptIn` decides that",
} as const;
