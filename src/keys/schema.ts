import { Type } from "@sinclair/typebox";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { exact, nullable, oneOf, ruled, timestamp } from "#http/envelope.ts";
import type { ApiKey } from "./api-key.ts";
import { KEY_SCOPES } from "./scope.ts";

/** The wire shapes of API keys (docs/decisions.md "Keys"). */

const shown = {
  id: Type.String({
    description: "Opaque; not the key itself.",
    examples: ["key_01kafbx2d5g7k9n3qt6v8zc4hm"],
  }),
  name: Type.String({ description: "What it is for.", examples: ["Sign-up page"] }),
  prefix: Type.String({
    description: "The key's first characters, to tell keys apart.",
    examples: ["pr_4fGh"],
  }),
  createdAt: timestamp("When the key was made."),
  lastUsedAt: nullable(timestamp("Null until the first use; moves on at most once a minute.")),
  revokedAt: nullable(timestamp("Null while the key is good.")),
};

const SCOPE_MEANING =
  "What the key may ask. `full`: everything. `send`: `POST` to `/send`, `/events` and `/events/bulk`. " +
  "`read`: `GET`. Everything else is `403`.";

/** Only where the request asks for it: see `keyView`. */
const scopeShown = {
  scope: Type.Optional({
    ...oneOf("KeyScope", KEY_SCOPES, `${SCOPE_MEANING} Shown where it was asked for.`),
    examples: ["send"],
  }),
};

export const keyIncludes = {
  include: Type.Optional(
    Type.String({ enum: ["scope"], description: "`scope` shows it of every key.", examples: ["scope"] }),
  ),
};

export const keySchema = Type.Object(
  { ...shown, ...scopeShown },
  {
    ...exact,
    $id: "Key",
    description: "An API key, without its secret.",
  },
);
export const newKeySchema = Type.Object(
  {
    ...shown,
    ...scopeShown,
    key: Type.String({
      description: "The whole key. It is shown this once.",
      examples: ["pr_4fGhR1mPz8Kq2LwVxN7bTdYc5JsE0aUo9HiX3vBnM6Q"],
    }),
  },
  { ...exact, $id: "CreatedKey", description: "The new key." },
);
export const revokedKeySchema = Type.Object(
  { id: shown.id, revokedAt: timestamp("When it was first revoked.") },
  { ...exact, $id: "RevokedKey", description: "The revoked key." },
);

export const newKeyBody = Type.Object(
  {
    name: Type.Optional(
      ruled(
        Type.String({
          description: "What it is for: one line of at most 200 characters. Left out: `API key`.",
          examples: ["Sign-up page"],
        }),
        { maxLength: 200 },
      ),
    ),
    scope: Type.Optional({
      ...oneOf("KeyScope", KEY_SCOPES, `${SCOPE_MEANING} Left out: \`full\`.`),
      examples: ["send"],
    }),
  },
  { $id: "KeyCreate", description: "May be left out." },
);

/** @param withScope whether the request asked for the scope, by its body or by `include=scope` */
export const keyView = (withScope: boolean) => (key: ApiKey) =>
  withScope ? { ...keyWire(key), scope: key.scope } : keyWire(key);

const keyWire = ({ id, name, prefix, createdAt, lastUsedAt, revokedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  createdAt: isoOf(createdAt),
  lastUsedAt: isoOrNull(lastUsedAt),
  revokedAt: isoOrNull(revokedAt),
});
