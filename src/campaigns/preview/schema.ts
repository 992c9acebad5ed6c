import { Type } from "@sinclair/typebox";
import { documentedAs, exact, oneOf } from "#http/envelope.ts";
import { problemsSchema } from "#http/problem-schema.ts";
import { RECIPIENT_STATUSES, type SendAnswer } from "#transactional/answer.ts";

const contactId = Type.Optional(
  Type.String({
    description: "Whose values are filled in; an example person's unless given.",
    examples: ["ct_01kafbzr1e6k3n8yd5w7pq2cmh"],
  }),
);

export const previewBody = Type.Object(
  { contactId },
  { $id: "CampaignPreviewRequest", description: "For whom it is made." },
);

const address = Type.String({ description: "An address.", examples: ["ada@example.com"] });
export const testBody = Type.Object(
  {
    to: documentedAs(
      Type.Union([address, Type.Array(address, { minItems: 1, maxItems: 10 })], {
        description: "An address, or 1 to 10 different ones.",
        examples: [["ada@example.com"]],
      }),
    ),
    contactId,
  },
  { $id: "CampaignTest", description: "Where it goes, and for whom it is made." },
);

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const previewSchema = Type.Object(
  {
    subject: text("As it is filled in.", "News for Alex"),
    preheader: text("What mail programs show beside it; empty where there is none.", "Three new things"),
    html: text("With the footer; empty where the letter cannot be made.", "<p>Hello Alex</p>…"),
    text: text("The text part.", "Hello Alex\n…"),
    sizeBytes: count("Of the whole message; 0 where it cannot be made.", 5_310),
    problems: problemsSchema,
  },
  { ...exact, $id: "CampaignPreview", description: "What one person would get, and what is wrong with it." },
);

const recipient = Type.Object(
  {
    email: text("The address, in lower case.", "ada@example.com"),
    status: oneOf("TestStatus", RECIPIENT_STATUSES, "UNCERTAIN: nobody knows; it is not sent again."),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Null when SENT.", examples: [null] }),
  },
  { ...exact, $id: "TestRecipient", description: "One address, and what became of its test." },
);

export const testSchema = Type.Object(
  {
    sent: count("Accepted by the relay.", 1),
    failed: count("FAILED and UNCERTAIN.", 0),
    skipped: count("Suppressed, or on a blocked domain.", 0),
    recipients: Type.Array(recipient, { description: "In the order of `to`." }),
  },
  { ...exact, $id: "CampaignTestOutcome", description: "What became of a test." },
);

export const wireTest = ({ sent, failed, skipped, recipients }: SendAnswer) => ({
  sent,
  failed,
  skipped,
  recipients: recipients.map(({ email, status, reason }) => ({ email, status, reason })),
});
