/**
 * Names that other services use for a letter to look at, and what to do instead (see `http/foreign-names.ts`).
 */
export const FOREIGN_PREVIEW_FIELDS = {
  body: "send the HTML as `html`",
  content: "send the HTML as `html`",
  source: "send the HTML as `html`",
  mjml: "send the HTML that was made of it, as `html`",
  markdown: "send the HTML that was made of it, as `html`",
  campaignId: "ask `POST /campaigns/{id}/preview`, and send its `html`",
  templateId: "ask `POST /templates/{id}/render`, and send its `html`",
} as const;
