import { Type, type Static, type StringOptions, type TSchema } from "@sinclair/typebox";
import { documentedAs, exact, oneOf, openObject } from "#http/envelope.ts";
import { RECIPIENT_STATUSES } from "./answer.ts";
import { BODY_BYTES_MAX, SUBJECT_MAX } from "#transactional/request/message-limits.ts";

/**
 * The wire shapes of POST /send (docs/decisions.md "Transactional send"). The schemas only document the
 * members. The rules of this folder read them, because they give better messages than a schema can.
 */

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const any = (schema: TSchema) => Type.Optional(documentedAs(schema));
const string = (description: string, example: string, length: StringOptions = {}) =>
  any(Type.String({ ...length, description, examples: [example] }));

const address = Type.String({ description: "The address alone.", examples: ["ada@example.com"] });
const addressee = Type.Object(
  {
    email: Type.String({ description: "The address.", examples: ["ada@example.com"] }),
    name: Type.Optional(Type.String({ description: "The name shown with it.", examples: ["Ada Lovelace"] })),
  },
  { $id: "Addressee", description: "An address and a name." },
);

const attachment = Type.Object(
  {
    filename: Type.String({ description: "Its name.", examples: ["receipt.txt"] }),
    contentType: Type.Optional(
      Type.String({
        description: "Its media type. Left out: `application/octet-stream`.",
        examples: ["text/plain"],
      }),
    ),
    content: Type.String({
      description: "Its bytes, in base64.",
      contentEncoding: "base64",
      examples: ["VGhhbmsgeW91IQ=="],
    }),
  },
  { $id: "Attachment", description: "A file that goes with a message." },
);

export const sendBody = Type.Object(
  {
    to: any(
      Type.Union(
        [address, addressee, Type.Array(Type.Union([address, addressee]), { minItems: 1, maxItems: 5 })],
        {
          description: "One address, or 1 to 5 different ones. Everybody gets a message of their own.",
          examples: [[{ email: "ada@example.com", name: "Ada Lovelace" }]],
        },
      ),
    ),
    templateId: string(
      "A template of the workspace, filled in with `variables`. `subject`, `text` and a body beside it win over its own.",
      "tpl_01kafbzr1e6k3n8yd5w7pq2cmh",
    ),
    subject: string(`One line of at most ${SUBJECT_MAX} characters.`, "Your receipt", {
      maxLength: SUBJECT_MAX,
    }),
    html: string(
      `The HTML, at most ${BODY_BYTES_MAX} bytes. Without \`text\`, a text alternative is made of it.`,
      "<p>Thank you, {{ name }}. Your order {{ order }} is on its way.</p>",
    ),
    body: string("Another name for `html`.", "<p>Thank you.</p>"),
    mjml: string("MJML, compiled to the HTML.", "<mjml><mj-body>…</mj-body></mjml>"),
    text: string("The plain text.", "Thank you. Your order is on its way."),
    from: string(
      "The sender; its domain must be that of the workspace's own sender, which is the default.",
      "shop@example.com",
    ),
    fromName: string("The sender's name; the workspace's by default.", "Example Shop"),
    replyTo: string("Where answers go; the workspace's by default.", "help@example.com"),
    headers: any(
      Type.Record(Type.String(), Type.String(), {
        description:
          "Further header fields; their names start with `X-`. Those that steer a relay (`X-SMTPAPI`, `X-MC-…`, `X-SES-…`, `X-Mailgun-…`, `X-PM-…` and their like) are refused.",
        examples: [{ "X-Order": "1843" }],
      }),
    ),
    tags: any(
      Type.Array(Type.String({ maxLength: 100 }), {
        description: "For reports. At most 50, each at most 100 characters.",
        examples: [["receipt"]],
      }),
    ),
    variables: any(
      openObject(
        "Given, even if empty: subject and bodies are Liquid with these names. Unknown names are empty. A template's own texts are always Liquid.",
        { name: "Ada", order: 1843 },
      ),
    ),
    attachments: any(
      Type.Array(attachment, {
        description: "Files, 2 MiB decoded in all.",
        examples: [[{ filename: "receipt.txt", contentType: "text/plain", content: "VGhhbmsgeW91IQ==" }]],
      }),
    ),
  },
  {
    $id: "MessageSend",
    description:
      "The message: `to`, and a `templateId` or `subject` and at least one of `html`, `mjml` and `text`.",
    // Only for the API document: the rules give a better message for a missing member than a schema does.
    allOf: [{ required: ["to"] }, { anyOf: [{ required: ["templateId"] }, { required: ["subject"] }] }],
    examples: [
      {
        to: { email: "ada@example.com", name: "Ada Lovelace" },
        subject: "Your receipt",
        html: "<p>Thank you, {{ name }}. Your order {{ order }} is on its way.</p>",
        variables: { name: "Ada", order: 1843 },
      },
    ],
  },
);

export type SendBody = Static<typeof sendBody>;

export const sendHeaders = Type.Object({
  "Idempotency-Key": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[!-~]+$",
      description:
        "1 to 255 visible ASCII characters. A repeated request with the same key and body sends nothing for 24 hours.",
      examples: ["receipt-1843"],
    }),
  ),
});

export const sendAnswerHeaders = Type.Object({
  "Idempotency-Replayed": Type.Optional(
    Type.String({ description: "`true` where this is the first answer again.", examples: ["true"] }),
  ),
});

const recipient = Type.Object(
  {
    email: Type.String({
      format: "email",
      description: "The address, in lower case.",
      examples: ["ada@example.com"],
    }),
    status: oneOf(
      "RecipientStatus",
      RECIPIENT_STATUSES,
      "UNCERTAIN: the relay was cut off or went silent when it had the message; it is not sent again.",
    ),
    messageId: Type.Union([Type.String(), Type.Null()], {
      description: "Without angle brackets; null when SKIPPED.",
      examples: ["000000000005d091059f43743d0a4871@example.com"],
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: "Null when SENT. SUPPRESSED and BLOCKED_DOMAIN are the reasons of SKIPPED.",
      examples: [null],
    }),
  },
  { ...exact, $id: "MessageRecipient", description: "One recipient, and the outcome of their message." },
);

export const sendSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["snd_01kafe2p7k9m4t6w8zr3h5xvqc"] }),
    sent: count("Accepted by the relay.", 1),
    failed: count("FAILED and UNCERTAIN.", 0),
    skipped: count("Suppressed, or on a blocked domain.", 0),
    recipients: Type.Array(recipient, { description: "In the order of `to`." }),
  },
  { ...exact, $id: "MessageOutcome", description: "The outcome of each message." },
);
