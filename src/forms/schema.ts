import { Type, type Static } from "@sinclair/typebox";
import type { JsonObject } from "#core/request/json-value.ts";
import { NAME_CHARACTERS_MAX } from "#core/text/name-text.ts";
import { isoOf } from "#core/time/iso.ts";
import { documentedAs, exact, timestamp } from "#http/envelope.ts";
import { FIELD_CHARACTERS_MAX, FIELDS_MAX, SUCCESS_MESSAGE_CHARACTERS_MAX, type Form } from "./form.ts";

/** The wire shapes of forms (docs/contract.md "Form"). */

const name = Type.String({
  description: "Trimmed; not empty. The heading of the hosted form.",
  examples: ["Stay in touch"],
});
const listId = Type.Union([Type.String(), Type.Null()], {
  description: "The list that new subscribers join; null for none.",
  examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"],
});
const successMessage = Type.String({
  description: "The message for a person who submits the form. Empty means the default.",
  examples: ["Thanks! You're subscribed."],
});
const style = Type.Unsafe<JsonObject>(
  Type.Object(
    {},
    {
      $id: "FormStyle",
      additionalProperties: true,
      description:
        "Look of the form. Used are `buttonText`; `buttonColor`, `buttonTextColor`, `backgroundColor` and `textColor` " +
        "(#rgb, #rrggbb, rgb(r, g, b) or a basic colour name); `cornerRadius` (0 to 48) and `fontSize` (12 to 32), in pixels; `language`, as in the settings. " +
        "Anything else is kept and passed over.",
      examples: [
        { buttonText: "Count me in", buttonColor: "#0b6e4f", backgroundColor: "#fff8e7", cornerRadius: 12 },
      ],
    },
  ),
);

export const formSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["form_01kafd8m3x5r9j2wt7c4q6hzyb"] }),
    name,
    listId,
    fields: Type.Array(Type.String(), {
      description:
        "Shown next to the address: `firstName`, `lastName`, and attributes by their names. Anything else is kept and passed over.",
      examples: [["firstName"]],
    }),
    style,
    successMessage,
    createdAt: timestamp("When the form was made."),
    updatedAt: timestamp("When the form was last changed."),
    embedUrl: Type.String({
      format: "uri",
      description: "Where the form is submitted to, without a key.",
      examples: ["https://mail.example.com/api/forms/form_01kafd8m3x5r9j2wt7c4q6hzyb/submit"],
    }),
  },
  { ...exact, $id: "Form", description: "A sign-up form." },
);

// Any entry is accepted: entries that are not strings are dropped. A rule checks their number and length.
const fields = documentedAs(
  Type.Array(Type.String({ maxLength: FIELD_CHARACTERS_MAX }), {
    maxItems: FIELDS_MAX,
    description:
      "`firstName`, `lastName` and names of attributes (`city`) are shown and filled in. Left out: `firstName`.",
    examples: [["firstName", "city"]],
  }),
);

const newName = documentedAs({ ...name, minLength: 1, maxLength: NAME_CHARACTERS_MAX });
const newMessage = documentedAs({ ...successMessage, maxLength: SUCCESS_MESSAGE_CHARACTERS_MAX });

export const newFormBody = Type.Object(
  {
    name: newName,
    listId: Type.Optional(listId),
    fields: Type.Optional(fields),
    successMessage: Type.Optional(newMessage),
  },
  {
    $id: "FormCreate",
    description: "The new form.",
    examples: [{ name: "Stay in touch", listId: "list_01kafbzr1e6k3n8yd5w7pq2cmh" }],
  },
);

export const formChangeBody = Type.Partial(
  Type.Object({ name: newName, listId, fields, successMessage: newMessage, style }),
  {
    $id: "FormUpdate",
    description: "Send only what changes. `listId` null detaches the list; `style` replaces the whole style.",
    examples: [{ style: { buttonText: "Count me in", buttonColor: "#0b6e4f" } }],
  },
);

export type NewFormBody = Static<typeof newFormBody>;
export type FormChangeBody = Static<typeof formChangeBody>;

/** @param baseUrl where the public pages are, without a trailing slash */
export const formWire = (form: Form, baseUrl: string) => ({
  id: form.id,
  name: form.name,
  listId: form.listId,
  fields: form.fields,
  style: form.style,
  successMessage: form.successMessage,
  createdAt: isoOf(form.createdAt),
  updatedAt: isoOf(form.updatedAt),
  embedUrl: `${baseUrl}/api/forms/${form.id}/submit`,
});

export const formFiguresSchema = Type.Object(
  {
    asked: Type.Integer({ description: "Confirmation mails that were asked for.", examples: [120] }),
    confirmed: Type.Integer({ description: "Those of them whose link was used.", examples: [96] }),
    joined: Type.Integer({
      description: "Agreements by this form: confirmed ones, and those that needed no confirmation.",
      examples: [96],
    }),
    left: Type.Integer({
      description: "Those of them whose person is SUBSCRIBED no more, or deleted.",
      examples: [4],
    }),
  },
  {
    ...exact,
    $id: "FormStats",
    description: "The figures of a form's submissions. Somebody who signs up twice counts twice.",
  },
);

export const formPreviewSchema = Type.Object(
  { html: Type.String({ description: "A whole page.", examples: ["<!doctype html>…"] }) },
  { ...exact, $id: "FormPreview", description: "How a form looks." },
);
