import { Type } from "@sinclair/typebox";

export const scoreSchema = Type.Object(
  {
    contactId: Type.String({
      description: "Whose score it is.",
      examples: ["ct_01kafc3q7w9h2m5xg4v8bt6rdn"],
    }),
    score: Type.Integer({
      description: "The points of all their events under the rules of now; 0 without any.",
      examples: [30],
    }),
  },
  { additionalProperties: false, $id: "Score", description: "How a contact stands in lead scoring." },
);
