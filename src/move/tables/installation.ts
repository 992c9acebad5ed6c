import type { MovedTable } from "#move/table.ts";

/** The installation, its workspaces and its people. */
export const INSTALLATION: readonly MovedTable[] = [
  { name: "instance", key: ["one"], columns: { int: "one created_at", bytes: "signing_secret" } },
  { name: "workspaces", key: ["seq"], columns: { int: "seq created_at", text: "id" } },
  { name: "settings", key: ["workspace", "key"], columns: { int: "workspace", text: "key value" } },
  {
    name: "api_keys",
    key: ["seq"],
    columns: {
      int: "seq workspace created_at last_used_at revoked_at",
      text: "id name prefix scope",
      bytes: "hash",
    },
  },
  {
    name: "users",
    key: ["seq"],
    columns: {
      int: "seq totp_step created_at last_seen_at",
      text: "id email password_hash totp_secret totp_proposed",
    },
  },
  {
    name: "memberships",
    key: ["seq"],
    columns: { int: "seq workspace person created_at joined_at", text: "role" },
  },
  {
    name: "sessions",
    key: ["seq"],
    columns: { int: "seq person created_at last_seen_at", text: "id", bytes: "hash", flag: "stays" },
  },
  {
    name: "passkeys",
    key: ["seq"],
    columns: {
      int: "seq person counter created_at last_used_at",
      text: "id name host credential",
      bytes: "public_key",
    },
  },
  { name: "used_challenges", key: ["challenge"], columns: { int: "expires_at", text: "challenge" } },
  { name: "welcome_links", key: ["seq"], columns: { int: "seq person workspace expires_at", bytes: "hash" } },
  { name: "audit", key: ["seq"], columns: { int: "seq workspace at", text: "who what target" } },
];
