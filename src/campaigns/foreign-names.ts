/** Names that other services use for fields and filters of campaigns, and what to do instead (`http/foreign-names.ts`). */
const OPTION = "set it with `PATCH /campaigns/{id}/options`";
const SENDER = "the sender is the workspace's, unless `PATCH /campaigns/{id}/options` sets another one";
const LATER = "schedule the campaign with `POST /campaigns/{id}/schedule`";
const NOW = "send the campaign with `POST /campaigns/{id}/send`";
const ONE_LIST = "a campaign goes to one list: `listId`";
const SEGMENT = "set `segmentId` with `PATCH /campaigns/{id}/options`";
const PREHEADER = "set `preheader` with `PATCH /campaigns/{id}/options`";
const TEXT = "the text part is made from the HTML, unless `PATCH /campaigns/{id}/options` sets `text`";
const BODY = "it is called `body`: HTML";
const TEMPLATE = "send the whole HTML as `body`";
const TEST = "send a test with `POST /campaigns/{id}/test`";
const DRY_RUN = "`POST /campaigns/{id}/check` says how many would get it, and sends nothing";
const TRACKING =
  "the workspace's settings decide that, unless `PATCH /campaigns/{id}/options` sets `trackOpens` and `trackClicks`";

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
  mjml: "send it as `body`, and set `format` with `PATCH /campaigns/{id}/options`",
  format: OPTION,
  personalize: OPTION,
  utm: OPTION,
  topic: OPTION,
  text: TEXT,
  textContent: TEXT,
  textBody: TEXT,
  plainText: TEXT,
  altbody: TEXT,
  preheader: PREHEADER,
  previewText: PREHEADER,
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
  segment: SEGMENT,
  segments: SEGMENT,
  segmentId: SEGMENT,
  segmentIds: SEGMENT,
  excludeListIds: OPTION,
  excludeSegmentIds: OPTION,
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

const CONTENT = "change it with `PATCH /campaigns/{id}`";
const ITS_SENDER = "it is called `fromEmail`, and the name `fromName`";
const TRACKS = "there are `trackOpens` and `trackClicks`";

export const FOREIGN_OPTION_FIELDS = {
  name: CONTENT,
  subject: CONTENT,
  body: CONTENT,
  html: CONTENT,
  listId: CONTENT,
  listIds: "a campaign goes to one list; change it with `PATCH /campaigns/{id}`",
  contentType: "it is called `format`",
  editorType: "it is called `format`",
  mjml: "send it as `body` with `PATCH /campaigns/{id}`, and `format` `mjml` here",
  liquid: "it is called `personalize`",
  mergeTags: "it is called `personalize`",
  previewText: "it is called `preheader`",
  previewLine: "it is called `preheader`",
  plainText: "it is called `text`",
  textBody: "it is called `text`",
  textContent: "it is called `text`",
  altbody: "it is called `text`",
  from: ITS_SENDER,
  sender: ITS_SENDER,
  senderName: "it is called `fromName`",
  senderEmail: "it is called `fromEmail`",
  replyToEmail: "it is called `replyTo`",
  segment: "it is called `segmentId`",
  segments: "it is one: `segmentId`; several are a segment of segments",
  segmentIds: "it is one: `segmentId`; several are a segment of segments",
  excludeLists: "it is called `excludeListIds`",
  excludedListIds: "it is called `excludeListIds`",
  excludeSegments: "it is called `excludeSegmentIds`",
  excludedSegmentIds: "it is called `excludeSegmentIds`",
  exclusionListIds: "it is called `excludeListIds`",
  excludeEmails: "name addresses when you send",
  tracking: TRACKS,
  openTracking: "it is called `trackOpens`",
  clickTracking: "it is called `trackClicks`",
  utmSource: "it is the `source` of `utm`",
  utmMedium: "it is the `medium` of `utm`",
  utmCampaign: "it is the `campaign` of `utm`",
  googleAnalytics: "set `utm`",
  tags: "there is one `topic`",
  tag: "it is called `topic`",
  category: "it is called `topic`",
} as const;

export const FOREIGN_UTM_FIELDS = {
  utmSource: "it is called `source`",
  utmMedium: "it is called `medium`",
  utmCampaign: "it is called `campaign`",
  content: "put `utm_content` into the links",
  term: "put `utm_term` into the links",
  utmContent: "put `utm_content` into the links",
  utmTerm: "put `utm_term` into the links",
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
  excludeListIds: OPTION,
  excludeSegmentIds: OPTION,
  ignoreQuietHours: "it is called `overrideQuietHours`",
  force: "it is `overrideQuietHours` that sends inside the quiet hours; nothing else can be overridden",
  listId: "set the campaign's own `listId` first, with `PATCH /campaigns/{id}`",
  listIds: "set the campaign's own `listId` first, with `PATCH /campaigns/{id}`",
  segmentId: "set the campaign's own `segmentId` first, with `PATCH /campaigns/{id}/options`",
  to: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  emails: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  emailTo: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  recipients: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  includeEmails: "the campaign goes to its list; to leave somebody out name them in `excludeEmails`",
  test: TEST,
  testMode: TEST,
  testEmails: TEST,
  dryRun: DRY_RUN,
  sandbox: DRY_RUN,
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
  address: "it is called `email`",
  contactId: "recipients have no filter by contact: use `email`",
  why: "it is called `reason`",
} as const;

export const FOREIGN_LEFT_OUT_FILTERS = {
  why: "it is called `reason`",
  state: "there is `reason` only",
  status: "there is `reason` only",
} as const;

const WHOLE = "it is the campaign's own: change it with `PATCH /campaigns/{id}`";

export const FOREIGN_PREVIEW_FIELDS = {
  contact: "it is called `contactId`",
  subscriberId: "it is called `contactId`",
  email: "name the person by `contactId`",
  to: "a preview goes to nobody; `POST /campaigns/{id}/test` sends one",
  subject: WHOLE,
  body: WHOLE,
  html: WHOLE,
} as const;

export const FOREIGN_TEST_FIELDS = {
  contact: "it is called `contactId`",
  subscriberId: "it is called `contactId`",
  email: "it is called `to`",
  emails: "it is called `to`",
  emailTo: "it is called `to`",
  testEmails: "it is called `to`",
  sendTo: "it is called `to`",
  recipients: "it is called `to`",
  subscribers: "it is called `to`",
  subject: WHOLE,
  body: WHOLE,
  html: WHOLE,
  sendType: "a test has both parts, as the campaign has",
} as const;
