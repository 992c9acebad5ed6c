/**
 * Names and habits of other services for the fields and filters of campaigns (see `http/foreign-names.ts`).
 */
const SENDER = "the sender is the workspace's: its settings `fromEmail`, `fromName` and `replyTo`";
const LATER = "schedule the campaign with `POST /campaigns/{id}/schedule`";
const NOW = "send the campaign with `POST /campaigns/{id}/send`";
const ONE_LIST = "a campaign goes to one list: `listId`";
const BODY = "it is called `body`: HTML";
const TEMPLATE = "send the whole HTML as `body`";
const NO_TEST = "every call sends; without SMTP_URL the server only shows the mail at /mailbox";
const TRACKING = "the workspace's settings `trackOpens` and `trackClicks` decide that";

export const FOREIGN_CAMPAIGN_FIELDS = {
  title: "it is called `name`",
  campaignName: "it is called `name`",
  subjectLine: "it is called `subject`",
  html: BODY,
  htmlBody: BODY,
  htmlContent: BODY,
  bodyHtml: BODY,
  content: BODY,
  message: BODY,
  mjml: "compile it first and send the HTML as `body`",
  text: "the text part is made from the HTML",
  textContent: "the text part is made from the HTML",
  textBody: "the text part is made from the HTML",
  plainText: "the text part is made from the HTML",
  altbody: "the text part is made from the HTML",
  preheader: "put it at the start of `body`",
  previewText: "put it at the start of `body`",
  from: SENDER,
  fromName: SENDER,
  fromEmail: SENDER,
  sender: SENDER,
  senderId: SENDER,
  replyTo: SENDER,
  list: ONE_LIST,
  lists: ONE_LIST,
  listIds: ONE_LIST,
  recipients: ONE_LIST,
  to: ONE_LIST,
  audience: ONE_LIST,
  audienceId: ONE_LIST,
  groups: ONE_LIST,
  segment: ONE_LIST,
  segments: ONE_LIST,
  segmentId: ONE_LIST,
  segmentIds: ONE_LIST,
  excludeListIds: "name addresses as `excludeEmails` when you send",
  excludeSegmentIds: "name addresses as `excludeEmails` when you send",
  template: TEMPLATE,
  templateId: TEMPLATE,
  sendAt: LATER,
  sendTime: LATER,
  schedule: LATER,
  scheduledFor: LATER,
  scheduledTime: LATER,
  scheduleTime: LATER,
  deliverAt: LATER,
  publishAt: LATER,
  sendNow: NOW,
  send: NOW,
  trackOpens: TRACKING,
  trackClicks: TRACKING,
  tracking: TRACKING,
  attachments: "link to files: campaigns carry none",
  abTesting: "make two campaigns for two lists",
  variateSettings: "make two campaigns for two lists",
} as const;

export const FOREIGN_SCHEDULE_FIELDS = {
  sendAt: "it is called `scheduledAt`",
  sendTime: "it is called `scheduledAt`",
  at: "it is called `scheduledAt`",
  date: "it is called `scheduledAt`, with the time",
  time: "it is called `scheduledAt`, with the date",
  scheduleTime: "it is called `scheduledAt`",
  scheduledTime: "it is called `scheduledAt`",
  scheduledFor: "it is called `scheduledAt`",
  publishAt: "it is called `scheduledAt`",
  timezone: "write the offset into `scheduledAt`: 2030-11-22T09:00:00+01:00",
  tz: "write the offset into `scheduledAt`: 2030-11-22T09:00:00+01:00",
  batchDelivery: "the relay's pace decides how fast it goes out",
  timewarp: "everybody gets it at the same time",
  useRecipientTimezone: "everybody gets it at the same time",
} as const;

export const FOREIGN_SEND_FIELDS = {
  sendAt: LATER,
  sendTime: LATER,
  scheduledAt: LATER,
  schedule: LATER,
  delay: LATER,
  exclude: "it is called `excludeEmails`",
  excludedEmails: "it is called `excludeEmails`",
  excludeAddresses: "it is called `excludeEmails`",
  excludeListIds: "name addresses as `excludeEmails`",
  ignoreQuietHours: "it is called `overrideQuietHours`",
  force: "it is `overrideQuietHours` that sends inside the quiet hours; nothing else can be overridden",
  listId: "set the campaign's own `listId` first, with `PATCH /campaigns/{id}`",
  listIds: "set the campaign's own `listId` first, with `PATCH /campaigns/{id}`",
  segmentId: "set the campaign's own `listId` first, with `PATCH /campaigns/{id}`",
  to: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  emails: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  emailTo: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  recipients: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  includeEmails: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  test: NO_TEST,
  testMode: NO_TEST,
  testEmails: NO_TEST,
  dryRun: NO_TEST,
  sandbox: NO_TEST,
  limit: "it goes to everybody on the list",
  batchSize: "recipients go out in batches of 100",
} as const;

export const FOREIGN_CAMPAIGN_FILTERS = {
  name: "search with `q`",
  subject: "search with `q`",
  state: "it is called `status`",
  type: "there is one kind of campaign",
  listId: "campaigns have no filter by list",
} as const;

export const FOREIGN_DELIVERY_FILTERS = {
  status: "it is called `state`",
  email: "recipients have no filter by address",
  contactId: "recipients have no filter by contact",
  reason: "recipients have no filter but `state`",
} as const;
