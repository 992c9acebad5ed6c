/**
 * Names that other services use for the fields and filters of contacts, and what to do instead (see
 * `http/foreign-names.ts`).
 */
import { WHO_LEFT_NAMES } from "./who-left.ts";

const ATTRIBUTES = "it is called `attributes`, an object";
const AN_ATTRIBUTE = "put what else you know into `attributes`, an object";
const LISTS = "add the contact with `POST /lists/{id}/contacts`";
const CONSENT =
  "send `status` (PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED), and `consent` where the person decided";

export const FOREIGN_FIELDS = {
  emailAddress: "it is called `email`",
  mail: "it is called `email`",
  fname: "it is called `firstName`",
  givenName: "it is called `firstName`",
  lname: "it is called `lastName`",
  surname: "it is called `lastName`",
  familyName: "it is called `lastName`",
  name: "send `firstName` and `lastName`",
  fullName: "send `firstName` and `lastName`",
  tag: "it is called `tags`, an array",
  labels: "it is called `tags`",
  addTags: "send the whole list as `tags`",
  removeTags: "send the whole list as `tags`",
  customAttributes: ATTRIBUTES,
  customFields: ATTRIBUTES,
  fields: ATTRIBUTES,
  mergeFields: ATTRIBUTES,
  mergeVars: ATTRIBUTES,
  properties: ATTRIBUTES,
  metadata: ATTRIBUTES,
  data: ATTRIBUTES,
  phone: AN_ATTRIBUTE,
  company: AN_ATTRIBUTE,
  birthday: AN_ATTRIBUTE,
  list: LISTS,
  lists: LISTS,
  listId: LISTS,
  listIds: LISTS,
  groups: LISTS,
  groupIds: LISTS,
  audienceId: LISTS,
  segments: "a segment finds its contacts by rules: nobody is added to it",
  unlinkListIds: "take the contact off with `DELETE /lists/{id}/contacts/{contactId}`",
  ...Object.fromEntries(WHO_LEFT_NAMES.map((name) => [name, CONSENT])),
  subscriptionStatus: CONSENT,
  statusIfNew: CONSENT,
  emailType: CONSENT,
  resubscribe: CONSENT,
  marketingPermissions: CONSENT,
  gdprConsent: CONSENT,
  doubleOptin:
    "send `status` PENDING, or sign people up through a form: its workspace's setting `doubleOptIn` asks them by mail",
  sendConfirmation:
    "send `status` PENDING, or sign people up through a form: its workspace's setting `doubleOptIn` asks them by mail",
  preconfirmSubscriptions: CONSENT,
  contacts: "send many to `POST /contacts/bulk`",
  subscribers: "send many to `POST /contacts/bulk`, as `contacts`",
} as const;

export const FOREIGN_FILTERS = {
  email: "search with `q`",
  name: "search with `q`",
  firstName: "search with `q`",
  lastName: "search with `q`",
  tags: "it is called `tag`, one of them",
  tagId: "it is called `tag`, by its text",
  list: "ask `GET /lists/{id}/contacts`",
  listId: "ask `GET /lists/{id}/contacts`",
  listIds: "ask `GET /lists/{id}/contacts`",
  segment: "ask `GET /segments/{id}/contacts`",
  segmentId: "ask `GET /segments/{id}/contacts`",
  subscribed: "use `status`",
  unsubscribed: "use `status`",
  state: "use `status`",
  updatedSince: "lists have no filter by date",
  modifiedSince: "lists have no filter by date",
} as const;

const NO_TAG = "this list has no filter by tags; the rules of a segment may name lists and tags";

/** Of the contacts of a list. */
export const FOREIGN_MEMBER_FILTERS = {
  ...FOREIGN_FILTERS,
  tag: NO_TAG,
  tags: NO_TAG,
  tagId: NO_TAG,
} as const;

export const FOREIGN_BULK = {
  subscribers: "they are called `contacts`",
  members: "they are called `contacts`",
  people: "they are called `contacts`",
  profiles: "they are called `contacts`",
  recipients: "they are called `contacts`",
  batch: "they are called `contacts`",
  listIds: "one list a call: `listId`",
  lists: "one list a call: `listId`",
  list: "it is called `listId`",
  tags: "each of `contacts` has its own",
  status: "each of `contacts` has its own",
  consent: "each of `contacts` has its own",
  updateExisting: "who is known is always changed; a file with `existing` = `keep` leaves them",
  triggerAutomations: "it is called `startAutomations`",
} as const;
