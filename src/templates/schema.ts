import { Type, type Static } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { documentedAs, exact, oneOf, openObject, ruled, timestamp } from "#http/envelope.ts";
import { problemsSchema } from "#http/problem-schema.ts";
import { TEMPLATE_FORMATS, type Template, type TemplateEntry } from "./template.ts";

/** The wire shapes of templates (docs/contract.md "Templates"). */

const name = ruled(Type.String({ description: "One line, 1 to 200 characters.", examples: ["Receipt"] }), {
  minLength: 1,
  maxLength: 200,
});
const subject = ruled(
  Type.String({
    description: "Liquid. One line, 1 to 998 characters.",
    examples: ["Your order {{ order }}"],
  }),
  { minLength: 1, maxLength: 998 },
);
const format = oneOf(
  "TemplateFormat",
  TEMPLATE_FORMATS,
  "What the body is: HTML (unless said otherwise), or MJML that is compiled.",
);
const body = ruled(
  Type.String({
    description: "Liquid in HTML or MJML, at most 524288 bytes of UTF-8.",
    examples: ["<p>Thank you, {{ name }}. Your order {{ order }} is on its way.</p>"],
  }),
  { minLength: 1 },
);

export const newTemplateBody = Type.Object(
  { name, subject, format: Type.Optional(format), body },
  {
    $id: "TemplateCreate",
    description:
      "A letter with Liquid in it. What does not compile may be saved: `render` says what is wrong.",
  },
);
export const templateChangeBody = Type.Partial(Type.Object({ name, subject, format, body }), {
  $id: "TemplateUpdate",
  description: "Send only what changes.",
  examples: [{ subject: "Your order {{ order }} is on its way" }],
});

export const renderBody = Type.Object(
  {
    variables: Type.Optional(
      documentedAs(openObject("Names and values. Unknown names are empty.", { name: "Ada", order: 1843 })),
    ),
  },
  { $id: "TemplateRenderRequest", description: "What is filled in." },
);

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const renderedSchema = Type.Object(
  {
    subject: text("As it is filled in; empty where the template cannot be used.", "Your order 1843"),
    html: text("What a message would have.", "<p>Thank you, Ada. Your order 1843 is on its way.</p>"),
    text: text("The text part, made from the HTML.", "Thank you, Ada. Your order 1843 is on its way.\n"),
    problems: problemsSchema,
  },
  { ...exact, $id: "RenderedTemplate", description: "A template filled in, and what is wrong with it." },
);

export type NewTemplateBody = Static<typeof newTemplateBody>;
export type TemplateChangeBody = Static<typeof templateChangeBody>;

const entry = {
  id: Type.String({ description: "Opaque.", examples: ["tpl_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
  name,
  subject,
  format,
  createdAt: timestamp("When the template was made."),
  updatedAt: timestamp("When anything in it changed last."),
};

export const templateSchema = Type.Object(entry, {
  ...exact,
  $id: "Template",
  description: "A letter that is written once and filled in for each message.",
});

export const wholeTemplateSchema = Type.Object(
  { ...entry, body },
  { ...exact, $id: "TemplateWithBody", description: "A template, with what it says." },
);

export const templateWire = ({ id, name: called, subject: line, format: kind, ...at }: TemplateEntry) => ({
  id,
  name: called,
  subject: line,
  format: kind,
  createdAt: isoOf(at.createdAt),
  updatedAt: isoOf(at.updatedAt),
});

export const wholeTemplateWire = (template: Template) => ({
  ...templateWire(template),
  body: template.body,
});
