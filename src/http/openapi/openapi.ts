/**
 * The parts of an OpenAPI 3.1 document that this project uses (https://spec.openapis.org/oas/v3.1.1.html).
 */

/** JSON Schema 2020-12, without TypeBox's symbols. */
export type JsonSchema = { readonly description?: string; readonly [keyword: string]: unknown };

export type Reference = { readonly $ref: string };

export type Document = {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly [{ readonly url: string; readonly description: string }];
  readonly security: readonly Record<string, readonly string[]>[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** Requests that this service makes to others, by name. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
};

export type Tag = { readonly name: string; readonly description: string };

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Missing: the document's own security applies. Empty: nothing is needed. */
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Answer | Reference>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
};

export type RequestBody = {
  readonly description: string;
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
};

export type Answer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
};

export type Header = {
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example: unknown;
};

export type MediaType = {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** By error code, if one example cannot show all errors. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
};

/** The members that an object must have, including those that an `allOf` rule requires. */
export function requiredIn({ required = [], allOf = [] }: JsonSchema): readonly string[] {
  return [...(required as string[]), ...(allOf as JsonSchema[]).flatMap(requiredIn)];
}

/** A schema; for a reference, the component it refers to, with what this use adds. */
export function schemaOf({ components }: Document, schema: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  return typeof $ref === "string" ? { ...components.schemas[componentIn($ref)], ...own } : schema;
}

/** The name of a component in what refers to it: `Contact` of `#/components/schemas/Contact`. */
export const componentIn = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

export const isReference = (value: object): value is Reference => "$ref" in value;
