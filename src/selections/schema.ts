import { Type } from "@sinclair/typebox";
import { documentedAs, exact, nullable, oneOf, pageQuery } from "#http/envelope.ts";
import { previewBody } from "#segments/schema.ts";
import { ACTIONS } from "./action.ts";

/** The wire shapes of choosing contacts (docs/contract.md "Choosing contacts"). */

const { rules } = previewBody.properties;
const CONTACT = "ct_01kafc3q7w9h2m5xg4v8bt6rdn";
const EVERYBODY_TAGGED = { field: "tag", op: "equals", value: "newsletter" };

const chosen = {
  contactIds: Type.Optional(
    documentedAs(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 1_000,
        description: "1 to 1,000 ids. An id that no contact has is passed over.",
        examples: [[CONTACT]],
      }),
    ),
  ),
  rules: Type.Optional(rules),
};

export const searchBody = Type.Object(
  { rules },
  {
    $id: "ContactSearch",
    description: "Rules, as those of a segment.",
    examples: [{ rules: EVERYBODY_TAGGED }],
  },
);

export const exportBody = Type.Object(
  {
    ...chosen,
    format: Type.Optional(
      Type.String({
        enum: ["csv", "jsonl"],
        description: "`csv` (default) or `jsonl`: a contact a line, as JSON.",
        examples: ["csv"],
      }),
    ),
  },
  {
    $id: "ContactsExport",
    description: "Who, by `contactIds` or by `rules`.",
    examples: [{ rules: EVERYBODY_TAGGED, format: "csv" }],
  },
);

export const actionBody = Type.Object(
  {
    ...chosen,
    action: documentedAs(oneOf("ContactAction", ACTIONS, "What to do with each of them.")),
    tag: Type.Optional(
      documentedAs(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: "Of `addTag` and `removeTag`: at most 100 characters.",
          examples: ["vip"],
        }),
      ),
    ),
    listId: Type.Optional(
      documentedAs(
        Type.String({
          description: "Of `addToList` and `removeFromList`.",
          examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"],
        }),
      ),
    ),
    startAutomations: Type.Optional(
      Type.Boolean({
        description:
          "Whether a gained tag starts LIVE automations: it does unless false. Send false to undo `removeTag`.",
        examples: [false],
      }),
    ),
  },
  {
    $id: "ContactsAction",
    description: "Who, by `contactIds` or by `rules`, and what is done with them.",
    examples: [{ contactIds: [CONTACT], action: "addTag", tag: "vip" }],
  },
);

export const actionQuery = Type.Object({ after: pageQuery.after });

const problemSchema = Type.Object(
  {
    id: Type.String({ description: "The contact's id.", examples: [CONTACT] }),
    email: Type.String({ description: "Its address.", examples: ["ada@example.com"] }),
    message: Type.String({
      description: "Why it stays as it is.",
      examples: ["A contact has at most 50 tags; these are 51. Send fewer."],
    }),
  },
  {
    ...exact,
    $id: "ContactsActionProblem",
    description: "A contact that the action could not be done with.",
  },
);

export const actionResult = Type.Object(
  {
    changed: Type.Integer({ description: "How many are different now.", examples: [1] }),
    unchanged: Type.Integer({ description: "How many were so already.", examples: [0] }),
    refused: Type.Integer({ description: "How many it could not be done with.", examples: [0] }),
    changedIds: Type.Array(Type.String(), {
      description:
        "Those that are different now: to undo it, do the contrary with them (`addTag` with `startAutomations` false).",
      examples: [[CONTACT]],
    }),
    problems: Type.Array(problemSchema, { maxItems: 20, description: "The first 20 of those refused." }),
    nextCursor: nullable(
      Type.String({
        description: "Pass it as `after` to continue; null when all are done.",
        examples: [null],
      }),
    ),
  },
  { ...exact, $id: "ContactsActionResult", description: "What one call did." },
);
