import { Type } from "@sinclair/typebox";
import { nullable, oneOf } from "./envelope.ts";

const place = (description: string, example: number) =>
  nullable(Type.Integer({ minimum: 1, description, examples: [example] }));

/** One thing that is wrong with a letter. */
const problemSchema = Type.Object(
  {
    severity: oneOf(
      "ProblemSeverity",
      ["error", "warning"],
      "error: a send refuses the letter. warning: it is sent all the same.",
    ),
    message: Type.String({
      description: "A sentence for its author.",
      examples: [
        'An image has no `alt`: who does not see it learns nothing of it. Describe it, or write alt="" where it only decorates.',
      ],
    }),
    line: place(
      "In the body as its author wrote it, from 1; null where there is no place, as for the subject.",
      3,
    ),
    column: place("In UTF-16 units, from 1.", 12),
  },
  {
    additionalProperties: false,
    $id: "LetterProblem",
    description: "What is wrong with a letter, and where.",
  },
);

export const problemsSchema = Type.Array(problemSchema, { description: "Errors first, then warnings." });
