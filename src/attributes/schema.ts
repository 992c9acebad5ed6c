import { Type } from "@sinclair/typebox";
import { documentedAs, exact } from "#http/envelope.ts";
import { ATTRIBUTE_CHARACTERS_MAX, ATTRIBUTE_ENTRIES_MAX } from "./attribute-input.ts";
import { ATTRIBUTE_NAME, ATTRIBUTE_TYPES, type AttributeUse } from "./attribute.ts";

/** The wire shapes of attributes (docs/contract.md "Attributes of contacts"). */

const text = Type.String({ maxLength: ATTRIBUTE_CHARACTERS_MAX });
const values = [text, Type.Number(), Type.Boolean(), Type.Array(text, { maxItems: ATTRIBUTE_ENTRIES_MAX })];
const names = { propertyNames: { pattern: `^${ATTRIBUTE_NAME}$` } };
const example = { city: "Berlin", age: 36, customer: true, colours: ["red", "green"] };

/** A contact's attributes, in answers that show them. */
export const attributesSchema = Type.Object(
  {},
  {
    ...names,
    additionalProperties: Type.Union(values),
    $id: "Attributes",
    description:
      "What you know about the contact beyond these fields. Only in answers to a request that has `attributes` in its body, or `include=attributes`.",
    examples: [example],
  },
);

/** The member of a body. Any value is accepted: a rule checks it. */
export const attributesField = documentedAs(
  Type.Object(
    {},
    {
      ...names,
      additionalProperties: Type.Union([...values, Type.Null()]),
      $id: "AttributeChanges",
      description:
        "Merged member by member: null removes one, what is not sent stays. Names: a letter, then letters, digits and `_`, at most 64. " +
        "Values: a string (1,000 characters), a number, a boolean, or 50 strings. At most 100 a contact, 16,384 bytes of JSON, 500 names a workspace.",
      examples: [example],
    },
  ),
);

export const attributeUseSchema = Type.Object(
  {
    name: Type.String({ description: "As it was sent; names differ by case.", examples: ["city"] }),
    types: Type.Array(Type.String({ enum: [...ATTRIBUTE_TYPES] }), {
      description: "The types of the values that contacts have now.",
      examples: [["string"]],
    }),
    contacts: Type.Integer({ description: "How many contacts have it.", examples: [1240] }),
  },
  { ...exact, $id: "Attribute", description: "A name that some contacts have." },
);

export const attributeUseWire = ({ name, types, contacts }: AttributeUse) => ({ name, types, contacts });
