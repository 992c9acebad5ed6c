import { Type } from "@sinclair/typebox";
import { isoOf, isoOrNull } from "#core/time/iso.ts";
import { exact, nullable, oneOf, timestamp } from "#http/envelope.ts";
import { ROLES } from "./role.ts";
import type { Member } from "./member.ts";
import { LINK_DAYS } from "./welcome-link.ts";

/** The wire shapes of people (docs/contract.md "People and the console"). */

const ROLE_MEANING =
  "`owner`: everything. `editor`: everything but people, keys and changes of the settings. `viewer`: reads, without exports.";

const role = { ...oneOf("Role", ROLES, ROLE_MEANING), examples: ["editor"] };

const email = Type.String({ description: "What they sign in with.", examples: ["grace@example.com"] });

const shown = {
  id: Type.String({ description: "Opaque.", examples: ["usr_01kafbx9m4c7h2q5t8w3zr6ndk"] }),
  email,
  role,
  createdAt: timestamp("When they were added to the workspace."),
  lastSeenAt: nullable(
    timestamp(
      "When they last used any workspace. Null until they join this one; moves on at most once a minute.",
    ),
  ),
};

export const userSchema = Type.Object(shown, {
  ...exact,
  $id: "User",
  description: "Somebody who may sign in to the workspace.",
});

export const newUserSchema = Type.Object(
  {
    ...shown,
    link: Type.String({
      description: `Give it to them: with it they choose a password, once, within ${LINK_DAYS} days. Somebody who has an account already confirms it with the password they have. It is shown this once.`,
      examples: ["https://mail.example.com/console/welcome/nB4fGhR1mPz8Kq2LwVxN7bTdYc5JsE0aUo9HiX3vBnM"],
    }),
  },
  { ...exact, $id: "CreatedUser", description: "The person, and how they come in." },
);

export const newUserBody = Type.Object(
  { email: email, role: role },
  { $id: "UserCreate", description: "Whom to invite, and what they may do." },
);

export const userChangeBody = Type.Object(
  { role: Type.Optional(role) },
  { $id: "UserUpdate", description: "What they may do from now on." },
);

export const userWire = ({ id, email: address, role: may, createdAt, lastSeenAt }: Member) => ({
  id,
  email: address,
  role: may,
  createdAt: isoOf(createdAt),
  lastSeenAt: isoOrNull(lastSeenAt),
});
