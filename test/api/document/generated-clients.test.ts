/**
 * What other people's programs make of our document: a client is generated from it, strictly type-checked,
 * sends a real campaign, and uploads a file.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import typescript from "typescript-5";
import { apiDocument } from "#app/http.ts";
import { guidesOf } from "#http/openapi/guides.ts";
import type { Document } from "#http/openapi/openapi.ts";
import { BASE_URL } from "../../support/server/api.ts";
import { temporaryDirectory } from "../../support/server/postrider.ts";
import { startSending, type SendingApi } from "../../support/sending/sending.ts";

const ROOT = resolve(import.meta.dir, "../../..");
const FIXTURES = join(ROOT, "test/fixtures/clients");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

/** What a stranger's project asks of its types, at the least. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "ESNext",
    module: "Preserve",
    moduleResolution: "bundler",
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    types: [],
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ["*.ts"],
};

const ENVIRONMENT = "declare const process: { env: Record<string, string | undefined> };\n";

/** Both generators work on TypeScript's old programming interface, which our own TypeScript no longer has. */
Bun.plugin({
  name: "typescript with a programming interface",
  setup: (build) =>
    void build.module("typescript", () => ({
      exports: { ...typescript, default: typescript },
      loader: "object",
    })),
});

type Generator = {
  readonly fixture: string;
  generate(document: Document, directory: string): Promise<void>;
};

const openapiTypescript: Generator = {
  fixture: "openapi-fetch.ts.txt",
  async generate(document, directory) {
    symlinkSync(
      dirname(Bun.fileURLToPath(import.meta.resolve("openapi-fetch/package.json"))),
      join(directory, "node_modules/openapi-fetch"),
    );
    const { default: nodesOf, astToString } = await import("openapi-typescript");
    const nodes = await nodesOf(JSON.stringify(document));
    writeFileSync(join(directory, "schema.ts"), astToString(nodes));
    const guide = guidesOf(BASE_URL).find(({ id }) => id === "clients")!;
    writeFileSync(join(directory, "guide.ts"), guide.code["TypeScript"]!);
  },
};

const heyApi: Generator = {
  fixture: "hey-api.ts.txt",
  async generate(document, directory) {
    writeFileSync(join(directory, "openapi.json"), JSON.stringify(document));
    const { createClient } = await import("@hey-api/openapi-ts");
    await createClient({
      input: join(directory, "openapi.json"),
      output: { path: join(directory, "generated") },
      logs: { level: "silent", file: false },
    });
  },
};

let api: SendingApi;
const home = temporaryDirectory();
beforeAll(async () => {
  api = await startSending();
});
afterAll(async () => {
  await api.stop();
  home.remove();
});

describe("a generated client", () => {
  test.each([
    ["openapi-typescript and openapi-fetch", openapiTypescript],
    ["@hey-api/openapi-ts", heyApi],
  ])("(%s) has types that hold, sends a campaign, and uploads a file", async (_, { fixture, generate }) => {
    const directory = join(home.path, fixture.replaceAll(".", "-"));
    mkdirSync(join(directory, "node_modules"), { recursive: true });
    await generate(JSON.parse(JSON.stringify(apiDocument(BASE_URL))), directory);
    copyFileSync(join(FIXTURES, fixture), join(directory, "client.ts"));
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(TSCONFIG));
    writeFileSync(join(directory, "environment.d.ts"), ENVIRONMENT);
    const checked = await Bun.$`${TSC} --project ${directory}`.nothrow().quiet();
    expect(checked.stdout.toString()).toBe("");
    expect(checked.exitCode).toBe(0);

    const { sendOneCampaign } = await import(join(directory, "client.ts"));
    const mailsBefore = api.relay.accepted.length;
    const result = await sendOneCampaign(api.url, api.key);
    expect(result).toEqual({
      added: 1,
      emails: ["ada@example.com"],
      total: 1,
      event: true,
      flow: result.wantedFlow,
      wantedFlow: expect.anything(),
      sent: 1,
      reported: 1,
      skipped: 0,
      previewed: ["PENDING"],
      refusedWith: "CAMPAIGN_ALREADY_SENT",
      misspelt: 2,
    });
    expect(api.relay.accepted.length).toBe(mailsBefore + 1);
  });
});
