/** A running Postrider for API tests: real SQLite in a temporary directory, real HTTP on a free port. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openHttp, openServices, type Services, type World } from "#app.ts";
import { systemClock, type Clock } from "#core/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";

export type Answer = { status: number; body: any; headers: Headers };

export type TestApi = {
  readonly services: Services;
  readonly url: string;
  readonly workspaceId: string;
  readonly key: string;
  readonly logLines: string[];
  /** Calls a route under /api/v1 with the first workspace's key; `body` is sent as JSON, a string as it is. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  stop(): Promise<void>;
};

export async function startApi(options: { clock?: Clock } = {}): Promise<TestApi> {
  const dataDir = mkdtempSync(join(tmpdir(), "postrider-test-"));
  const logLines: string[] = [];
  const clock = options.clock ?? systemClock;
  const log = createLog({ level: "debug", format: "json", clock, write: (line) => logLines.push(line) });
  const world: World = { clock, random: systemRandom, log };
  const services = openServices(dataDir, world);
  const { id: workspaceId, key } = await services.workspaces.create("Default");
  const app = openHttp(services, world, () => false);
  app.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `http://127.0.0.1:${app.server!.port}`;
  return {
    services,
    url,
    workspaceId,
    key,
    logLines,
    call: (method, path, body, withKey = key) => callApi(`${url}/api/v1${path}`, method, withKey, body),
    async stop() {
      await app.server!.stop(true);
      await services.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export async function callApi(url: string, method: string, key: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers };
}
