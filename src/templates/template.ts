import type { Instant } from "#core/time/clock.ts";

export const TEMPLATE_FORMATS = ["html", "mjml"] as const;
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number];

/** What a person writes of a template. Subject and body are Liquid; `format` says what the body is. */
export type TemplateContent = {
  readonly name: string;
  readonly subject: string;
  readonly format: TemplateFormat;
  readonly body: string;
};

/** A letter that is written once and filled in for each message. */
export type Template = TemplateContent & {
  readonly id: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

/** A template in a list, without its body. */
export type TemplateEntry = Omit<Template, "body">;
