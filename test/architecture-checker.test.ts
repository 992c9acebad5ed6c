import { describe, expect, test } from "bun:test";
import {
  type Violation,
  checkCycles,
  checkImports,
  checkListed,
  checkSizes,
  importGraph,
} from "./support/house/architecture.ts";
import { FILES_IN_FOLDER_MAX, SAME_ROLE_FOLDERS } from "./support/house/architecture-plan.ts";
import { checkReserved } from "./support/house/reserved-names.ts";
import { codeOnly } from "./support/house/source-scan.ts";

// Every rule of architecture.test.ts, proved able to fail on a forbidden sample and to pass its neighbour.

const lines = (violations: readonly Violation[]): string[] =>
  violations.map(({ rule, file, detail }) => `[${rule}] ${file}: ${detail}`);
const rulesBroken = (violations: readonly Violation[]): string[] => violations.map(({ rule }) => rule);

describe("the checker fails on", () => {
  const forbiddenImports: [path: string, source: string, rule: string][] = [
    ["src/main.ts", 'import { openServices } from "./app/services.ts";', "direction"],
    ["src/commands/server/serve.ts", 'import { open } from "#storage/sqlite/engine/open.ts";', "direction"],
    ["src/app/services.ts", 'import { run } from "#commands/server/serve.ts";', "direction"],
    ["src/core/ids.ts", 'import type { Contact } from "#contacts/contact.ts";', "direction"],
    ["src/http/auth.ts", 'import { findKey } from "#keys/service.ts";', "direction"],
    ["src/mail/compose.ts", 'import type { Campaign } from "#campaigns/campaign.ts";', "direction"],
    ["src/scheduler/scheduler.ts", 'import { job } from "#campaigns/job.ts";', "direction"],
    ["src/storage/sqlite/contacts.ts", 'import { service } from "#contacts/service.ts";', "direction"],
    ["src/storage/sqlite/contacts.ts", 'import type { Wire } from "#contacts/schema.ts";', "direction"],
    ["src/contacts/service.ts", 'import { open } from "#storage/sqlite/engine/open.ts";', "direction"],
    ["src/contacts/service.ts", 'import { routes } from "./routes.ts";', "direction"],
    ["src/contacts/store.ts", 'import type { Service } from "./service.ts";', "direction"],
    [
      "src/contacts/consent/consent.ts",
      'import type { ContactStore } from "#contacts/store.ts";',
      "direction",
    ],
    ["src/contacts/routes.ts", 'import type { ContactStore } from "./store.ts";', "direction"],
    ["src/automations/routes.ts", 'import type { RunStore } from "#automations/run/store.ts";', "direction"],
    ["src/automations/run/run.ts", 'import type { RunStore } from "./store.ts";', "direction"],
    ["src/inbound/hooks/token.ts", 'import { take } from "./token-service.ts";', "direction"],
    ["src/forms/signup/public-routes.ts", 'import type { FormStore } from "#forms/store.ts";', "direction"],
    ["src/campaigns/send/guardrails.ts", 'import type { Plan, PlanStore } from "./plan.ts";', "direction"],
    ["src/contacts/contact-input.ts", 'import { newContactBody } from "./schema.ts";', "direction"],
    ["src/contacts/contact-input.ts", 'import type { ListBody } from "#suppression/schema.ts";', "direction"],
    ["src/contacts/consent/consent.ts", 'export type { List } from "#lists/list.ts";', "direction"],
    ["src/suppression/service.ts", 'const late = await import("#contacts/service.ts");', "direction"],
    ["src/deliveries/claim.ts", 'type Plan = import("#campaigns/send/plan.ts").Plan;', "direction"],
    ["src/deliveries/claim.ts", 'import { relayGroup } from "#mail/smtp/relay/relay-group.ts";', "direction"],
    ["src/mail/smtp-pool.ts", 'import { createTransport } from "nodemailer";', "package owner"],
    ["src/mail/dkim/dkim.ts", 'import sign from "nodemailer/lib/dkim";', "package owner"],
    ["src/contacts/service.ts", 'import { eq } from "drizzle-orm";', "package owner"],
    ["src/contacts/store.ts", 'import type { Database } from "bun:sqlite";', "package owner"],
    ["src/contacts/service.ts", 'import { Elysia } from "elysia";', "package owner"],
    ["src/contacts/consent/consent.ts", 'import { t } from "elysia";', "package owner"],
    ["src/contacts/consent/consent.ts", 'import { readFileSync } from "node:fs";', "rule purity"],
    ["src/contacts/consent/consent.ts", 'import {\n  connect,\n} from "node:net";', "rule purity"],
    ["src/contacts/consent/consent.ts", 'import type { Clock } from "#core/time/clock.ts";', "rule purity"],
    ["src/contacts/consent/consent.ts", 'import type { Instant } from "../core/time/clock.ts";', "climbing"],
    ["src/contacts/consent/consent.ts", 'import { x } from "#utils/x.ts";', "plan"],
    ["src/helpers/text.ts", "export const x = 1;", "plan"],
  ];
  test.each(forbiddenImports)("an edge out of %s: %j", (path, source, rule) => {
    expect(rulesBroken(checkImports([{ path, source }]))).toEqual([rule]);
  });

  const forbiddenCode: [source: string, rule: string][] = [
    ["const now = Date.now();", "time"],
    ["const now = new Date();", "time"],
    ["const now = +new Date;", "time"],
    ["const text = `at ${new Date(/* now */)}`;", "time"],
    ["setTimeout(run, 5);", "time"],
    ["globalThis.setInterval(run, 5);", "time"],
    ["const start = performance.now();", "time"],
    ["await Bun.sleep(5);", "time"],
    ["const jitter = Math.random();", "chance"],
    ["const id = crypto.randomUUID();", "chance"],
    ["const port = process.env.PORT;", "environment"],
    ["const { env } = process;", "environment"],
    ['const port = Bun.env["PORT"];', "environment"],
    ["db.run(sql.raw(text));", "raw SQL"],
    ["db.transaction(async (tx) => {});", "async transaction"],
    ["db.transaction(\n  async function () {});", "async transaction"],
  ];
  test.each(forbiddenCode)("%j", (source, rule) => {
    expect(rulesBroken(checkReserved([{ path: "src/contacts/service.ts", source }]))).toEqual([rule]);
  });

  test("a cycle, also one made of types only", () => {
    const a = { path: "src/contacts/a.ts", source: 'import type { B } from "./b.ts";' };
    const b = { path: "src/contacts/b.ts", source: 'import { c } from "#contacts/c.ts";' };
    const c = { path: "src/contacts/c.ts", source: 'export * from "./a.ts";' };
    const cycle = [
      "[cycle] src/contacts/a.ts: src/contacts/a.ts -> src/contacts/b.ts -> src/contacts/c.ts -> src/contacts/a.ts",
    ];
    expect(lines(checkCycles(importGraph([a, b, c])))).toEqual(cycle);
    expect(checkCycles(importGraph([a, b]))).toEqual([]);
  });
});

describe("the list of roles by hand", () => {
  const sender = "src/deliveries/sender/sender.ts";
  const store = "src/automations/run/store.ts";

  test("is held where a file is not there any more, and where its name says its role", () => {
    expect(lines(checkListed([store], { [sender]: "service", [store]: "store" }))).toEqual([
      `[plan] ${sender}: is listed, and not there`,
      `[plan] ${store}: is listed, and its name says the same`,
    ]);
    expect(lines(checkListed([sender, store], { [sender]: "service", [store]: "service" }))).toEqual([]);
  });
});

describe("the size of folders", () => {
  const filled = (folder: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${folder}/file-${at}.ts`);
  const exceptions = Object.keys(SAME_ROLE_FOLDERS).flatMap((folder) =>
    filled(folder, FILES_IN_FOLDER_MAX + 1),
  );

  test("is held where a folder has one file too many", () => {
    const crowded = filled("src/core", FILES_IN_FOLDER_MAX + 1);
    expect(lines(checkSizes([...exceptions, ...crowded]))).toEqual([
      "[size] src/core: has 21 files: more than 20 are several rooms",
    ]);
  });

  test("counts rooms by themselves, and lets those be large whose files have one role", () => {
    const rooms = [
      ...filled("src/core", FILES_IN_FOLDER_MAX),
      ...filled("src/core/text", FILES_IN_FOLDER_MAX),
    ];
    expect(lines(checkSizes([...exceptions, ...rooms]))).toEqual([]);
  });

  test("is held where an exception is none any more", () => {
    const others = exceptions.filter((path) => !path.startsWith("src/commands/"));
    expect(lines(checkSizes(others))).toEqual(["[size] src/commands: is not large: it needs no exception"]);
  });
});

describe("the checker accepts", () => {
  const allowedImports: [path: string, source: string][] = [
    ["src/main.ts", 'import { commands } from "#commands/line/table.ts";'],
    ["src/app/services.ts", 'import { open } from "#storage/sqlite/engine/open.ts";'],
    [
      "src/contacts/routes.ts",
      'import { Elysia } from "elysia";\nimport { contactService } from "./service.ts";',
    ],
    [
      "src/contacts/service.ts",
      'import type { Clock } from "#core/time/clock.ts";\nimport type { ContactStore } from "./store.ts";',
    ],
    [
      "src/contacts/consent/consent.ts",
      'import type { Instant } from "#core/time/clock.ts";\nimport { strongest } from "#suppression/reason.ts";',
    ],
    ["src/contacts/contact-input.ts", 'import type { NewContactBody } from "./schema.ts";'],
    ["src/campaigns/send/sending-service.ts", 'import type { Plan, PlanStore } from "./plan.ts";'],
    ["src/campaigns/send/guardrails.ts", 'import type { Plan } from "./plan.ts";'],
    [
      "src/storage/sqlite/contacts.ts",
      'import type { ContactStore } from "#contacts/store.ts";\nimport { eq } from "drizzle-orm";',
    ],
    [
      "src/storage/sqlite/schema/migrations.gen.ts",
      'import m from "../../../migrations/sqlite/0001_x.sql" with { type: "text" };',
    ],
    [
      "src/mail/smtp/session/relay-connection.ts",
      'import SMTPConnection from "nodemailer/lib/smtp-connection";',
    ],
    [
      "src/contacts/consent/consent.ts",
      '// import { x } from "node:fs";\nconst text = `\nimport { x } from "node:fs";\n`;',
    ],
  ];
  test.each(allowedImports)("an edge out of %s: %j", (path, source) => {
    expect(lines(checkImports([{ path, source }]))).toEqual([]);
  });

  const allowedCode = [
    "/** Never calls Date.now() or setTimeout. */",
    'const message = "process.env is read by config.ts";',
    "const at = new Date(now).toISOString();",
    'const at = new Date("2026-01-01");',
    "socket.setTimeout(5);",
    "const quoted = /[\"'`/]/; // Math.random()",
    "const parse = (date: Date) => parseDate(date);",
    "db.transaction(() => {});",
  ];
  test.each(allowedCode)("%j", (source) => {
    expect(lines(checkReserved([{ path: "src/contacts/service.ts", source }]))).toEqual([]);
  });

  test("and a home for what is reserved", () => {
    const source = "Date.now();\nsetTimeout(run, 1);";
    expect(lines(checkReserved([{ path: "src/core/time/clock.ts", source }]))).toEqual([]);
    expect(rulesBroken(checkReserved([{ path: "src/core/random.ts", source }]))).toEqual(["time"]);
  });
});

test("blanking keeps every offset and line, and what stands in a template's braces", () => {
  const source = 'const a = `x ${f({ b: "y" })} z`; // end\nconst c = 6 / 2 / 3;';
  const code = codeOnly(source);
  expect(code).toBe('const a = `  ${f({ b: " " })}  `;       \nconst c = 6 / 2 / 3;');
});
