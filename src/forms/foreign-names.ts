/**
 * Names that other services use for the fields of forms, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const NO_REDIRECT =
  "a submitter is told `successMessage`; your own page can go on by itself when the answer is there";

export const FOREIGN_FORM_FIELDS = {
  title: "it is called `name`",
  list: "it is called `listId`",
  lists: "a form has one list: `listId`",
  listIds: "a form has one list: `listId`",
  audienceId: "it is called `listId`",
  tags: "forms add no tags; an automation can",
  inputs: "it is called `fields`",
  customFields: "it is called `fields`",
  message: "it is called `successMessage`",
  thankYouMessage: "it is called `successMessage`",
  redirect: NO_REDIRECT,
  redirectUrl: NO_REDIRECT,
  successUrl: NO_REDIRECT,
  thankYouUrl: NO_REDIRECT,
  doubleOptin: "the workspace's setting `doubleOptIn` decides that",
  optin: "the workspace's setting `doubleOptIn` decides that",
  captcha: "robots are kept off without one",
  recaptcha: "robots are kept off without one",
  allowedOrigins: "it is a setting of the workspace: `allowedOrigins`",
  status: "a form is open as long as it is there",
  enabled: "a form is open as long as it is there",
  css: "use `style`",
  theme: "use `style`",
  design: "use `style`",
} as const;

export const FOREIGN_FORM_FILTERS = {
  name: "forms have no filters",
  listId: "forms have no filters",
  status: "forms have no filters",
} as const;
