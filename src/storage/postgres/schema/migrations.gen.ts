// Written by scripts/gen.ts from migrations/postgres: run `bun run gen` after adding a file there.
import m0001 from "../../../../migrations/postgres/0001_schema.sql" with { type: "text" };
import m0002 from "../../../../migrations/postgres/0002_nodes.sql" with { type: "text" };
import m0003 from "../../../../migrations/postgres/0003_bounced_later.sql" with { type: "text" };
import m0004 from "../../../../migrations/postgres/0004_complained_elsewhere.sql" with { type: "text" };
import m0005 from "../../../../migrations/postgres/0005_moved_contacts.sql" with { type: "text" };
import m0006 from "../../../../migrations/postgres/0006_waiting_triggers.sql" with { type: "text" };

export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_schema", sql: m0001 },
  { name: "0002_nodes", sql: m0002 },
  { name: "0003_bounced_later", sql: m0003 },
  { name: "0004_complained_elsewhere", sql: m0004 },
  { name: "0005_moved_contacts", sql: m0005 },
  { name: "0006_waiting_triggers", sql: m0006 },
];
