import { Type, type Static } from "@sinclair/typebox";
import { documentedAs, exact, openObject } from "#http/envelope.ts";
import { problemsSchema } from "#http/problem-schema.ts";

/** The wire shapes of POST /automations/{id}/preview (docs/contract.md "Automations"). */

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const mailPreviewBody = Type.Object(
  {
    nodeId: Type.Optional(documentedAs(text("The node that sends the mail.", "letter"))),
    data: Type.Optional(
      documentedAs(
        openObject("Its `data` as it is being edited; without it, as it is saved.", {
          action: "send_email",
          subject: "Welcome, {{ contact.firstName }}",
          html: "<p>Good to see you.</p>",
        }),
      ),
    ),
    contactId: Type.Optional(
      documentedAs(
        text(
          "Whose values are filled in; an example person's unless given.",
          "ct_01kafbzr1e6k3n8yd5w7pq2cmh",
        ),
      ),
    ),
  },
  {
    $id: "AutomationPreviewRequest",
    description: "Which mail, and for whom. `nodeId` is needed.",
    examples: [
      {
        nodeId: "letter",
        data: { action: "send_email", subject: "Welcome", html: "<p>Good to see you.</p>" },
      },
    ],
  },
);

export type MailPreviewBody = Static<typeof mailPreviewBody>;

export const mailPreviewSchema = Type.Object(
  {
    subject: text("As it is filled in.", "Welcome, Alex"),
    html: text("With the footer; empty where the mail cannot be made.", "<p>Good to see you.</p>…"),
    text: text("The text part.", "Good to see you.\n…"),
    sizeBytes: Type.Integer({
      minimum: 0,
      description: "Of the whole message; 0 where it cannot be made.",
      examples: [5_310],
    }),
    problems: problemsSchema,
  },
  { ...exact, $id: "AutomationPreview", description: "A mail as one person would get it." },
);
