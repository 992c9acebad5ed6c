import { Type } from "@sinclair/typebox";
import { bulkItems, bulkResult, requiresItems } from "#http/body/bulk-schema.ts";
import { newContactBody } from "#contacts/schema.ts";

/** The wire shapes of POST /contacts/bulk (docs/contract.md "Many at once"). */

export const bulkContactsBody = Type.Object(
  {
    contacts: bulkItems(newContactBody, "The people: 1 to 1,000 bodies of `POST /contacts`."),
    listId: Type.Optional(
      Type.String({
        description: "A list that everybody who may join lists is put on.",
        examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"],
      }),
    ),
    startAutomations: Type.Optional(
      Type.Boolean({
        description: "Whether new subscribers and gained tags start LIVE automations: they do unless false.",
        examples: [false],
      }),
    ),
  },
  {
    $id: "ContactsCreate",
    description: "Many people, and what is done with all of them.",
    ...requiresItems("contacts"),
    examples: [
      {
        contacts: [{ email: "ada@example.com", tags: ["newsletter"] }, { email: "grace@example.com" }],
        startAutomations: false,
      },
    ],
  },
);

export const bulkContactsResult = bulkResult({
  $id: "ContactsResult",
  description: "What became of each.",
  counts: {
    created: "How many are new.",
    updated: "How many were there already, and are as their body says now.",
    failed: "How many could not be written.",
  },
  outcomes: ["CREATED", "UPDATED", "FAILED"],
  id: { description: "The contact's id; null where it failed.", example: "ct_01kafc3q7w9h2m5xg4v8bt6rdn" },
});
