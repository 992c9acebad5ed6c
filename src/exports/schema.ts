import { Type } from "@sinclair/typebox";
import { contactFilters } from "#contacts/schema.ts";

/** The wire shapes of exports (docs/contract.md "Many at once"). */

const { status, tag } = contactFilters;

export const exportInclude = {
  include: Type.Optional(
    Type.String({
      enum: ["suppressed"],
      description:
        "`suppressed`: also why somebody is never mailed, as a last column (and a member where somebody is). An import " +
        "suppresses them again.",
      examples: ["suppressed"],
    }),
  ),
};

export const exportQuery = Type.Object({
  ...exportInclude,
  format: Type.Optional(
    Type.String({
      enum: ["csv", "jsonl"],
      default: "csv",
      description: "`csv` (default) or `jsonl`: a contact a line, as JSON.",
      examples: ["csv"],
    }),
  ),
  listId: Type.Optional(
    Type.String({ description: "Only those on this list.", examples: ["list_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
  ),
  segmentId: Type.Optional(
    Type.String({ description: "Only those in this segment.", examples: ["seg_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
  ),
  status,
  tag,
});

export const contactsCsv = Type.String({
  $id: "ContactsCsv",
  description: "A header and a line for each contact, with a column for each attribute that somebody has.",
  examples: ["email,firstName,lastName,tags,status,createdAt\r\n"],
});

export const contactsJsonLines = Type.String({
  $id: "ContactsJsonLines",
  description: "A contact a line, with its attributes.",
  examples: ['{"id":"ct_01kafc3q7w9h2m5xg4v8bt6rdn","email":"ada@example.com","attributes":{}}\n'],
});
