/**
 * Names that other services use for the fields of templates, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const BODY = "it is called `body`, with its `format`";
const TEXT = "the text part is made from the HTML";

export const FOREIGN_TEMPLATE_FIELDS = {
  title: "it is called `name`",
  templateName: "it is called `name`",
  alias: "it is called `name`; messages name the template by its id",
  subjectLine: "it is called `subject`",
  subjectPart: "it is called `subject`",
  html: BODY,
  htmlBody: BODY,
  htmlContent: BODY,
  htmlPart: BODY,
  content: BODY,
  mjml: "send it as `body`, with `format` = `mjml`",
  type: "it is called `format`",
  editor: "it is called `format`",
  generation: "templates have one version; names in them are Liquid",
  text: TEXT,
  textBody: TEXT,
  textContent: TEXT,
  textPart: TEXT,
  plainContent: TEXT,
  from: "messages name their own sender, or have the workspace's",
  fromEmail: "messages name their own sender, or have the workspace's",
  variables: "send them with each message; names need not be declared",
  substitutions: "send them as `variables` with each message",
  layoutTemplate: "templates have no layouts: send the whole body",
  active: "a template is used as soon as a message names it",
  isActive: "a template is used as soon as a message names it",
} as const;

const VARIABLES = "it is called `variables`";

export const FOREIGN_RENDER_FIELDS = {
  data: VARIABLES,
  params: VARIABLES,
  templateData: VARIABLES,
  templateModel: VARIABLES,
  testRenderModel: VARIABLES,
  substitutions: VARIABLES,
  substitutionData: VARIABLES,
  mergeVars: VARIABLES,
} as const;
