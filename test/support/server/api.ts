/** A running Postrider for API tests: a real database, in a temporary directory or in PostgreSQL, real HTTP on a free port. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiDocument, apiRoutes, openHttp } from "#app/http.ts";
import { openSending, type Sending } from "#app/sending.ts";
import type { SqliteServices, World } from "#app/services.ts";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Dns } from "#doctor/dns/dns.ts";
import type { Ask } from "#inbound/hooks/amazon.ts";
import type { TrustedProxies } from "#http/client/client-address.ts";
import type { Route } from "#http/routes/route.ts";
import { createLog } from "#log.ts";
import type { CapturedMail } from "#mail/capture/captured-mail.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import type { Resolve } from "#webhooks/calls/address-book.ts";
import { seededRandom } from "../common/dice.ts";
import { joinAsSender, newPlace, openTestServices, type Place } from "./services.ts";
import { documentedAnswer, undocumentedStatuses } from "../document/documented-answer.ts";

/** What links in test mail start with. */
export const BASE_URL = "https://mail.example.org";

export type Answer = { status: number; body: any; headers: Headers };

/** Where a stopped service can be started again, and its key. */
export type Home = {
  readonly dataDir: string;
  /** Where its data is: in that directory, or in PostgreSQL. */
  readonly place: Place;
  readonly workspaceId: string;
  readonly key: string;
  /** How often a service was started on it. Each start has its own randomness, otherwise ids would repeat. */
  readonly starts: number;
};

export type TestApi = Home & {
  readonly services: SqliteServices;
  readonly sending: Sending;
  /** Every route under /api/v1. */
  readonly routes: readonly Route[];
  readonly url: string;
  readonly logLines: string[];
  /**
   * Calls a route under /api/v1 with the first workspace's key. `body` is sent as JSON, a string as it is.
   * Throws if its route does not document the answer, so every test checks the document too.
   */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** What `call` does with each answer, for an answer that was fetched in another way. */
  check(method: string, path: string, answer: Answer): void;
  /** Stops it. `graceMs` is for messages on their way; `keep` keeps the data directory, so that it can be opened again. */
  stop(how?: { graceMs?: number; keep?: boolean }): Promise<void>;
};

export type TestOptions = {
  /** Starts again on the data of a service that was stopped with `keep`. */
  readonly home?: Home;
  /** Where its data is, if not in a new place of the engine that is tested. */
  readonly place?: Place;
  readonly clock?: Clock;
  /** Where mail goes; without it there is no relay, and nothing is sent. */
  readonly smtpUrl?: string;
  /** Whether that is a capture server, which is told the workspace of each message. */
  readonly isCaptured?: boolean;
  /** What `/mailbox` shows; without it there is no mailbox. */
  readonly captured?: CapturedMail;
  /** What links in mail start with: `BASE_URL` unless given. */
  readonly baseUrl?: string;
  /** Whose pages may call /api/v1; nobody's unless given. */
  readonly corsOrigins?: readonly string[];
  /** What `/deliverability` asks. If not given, a DNS that does not answer, because tests contact nobody outside. */
  readonly dns?: Dns;
  /** Whether the service takes mail itself. */
  readonly inboundSmtp?: boolean;
  /** What Amazon answers; unless given, nothing. */
  readonly askAmazon?: Ask;
  /** Starts one of the threads that talk to relays. */
  readonly startSenderThread?: () => Worker;
  /** How many threads talk to relays. If not given and the test uses real time, `TEST_SENDER_THREADS` decides. */
  readonly senderThreads?: number;
  /** How webhooks find their targets. If not given, no name has an address, because tests contact nobody outside. */
  readonly resolve?: Resolve;
  /** Whose `X-Forwarded-For` is believed; nobody's unless given. */
  readonly isTrustedProxy?: TrustedProxies;
};

const refused = () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
const NO_DNS: Dns = { txt: refused, ns: refused, mx: refused, addresses: refused };

/** With this variable, all tests of sending run with threads too. */
const SENDER_THREADS = Number(process.env["TEST_SENDER_THREADS"] ?? 0);

const NO_ADDRESSES: Resolve = async () => [];

const document = apiDocument(BASE_URL);
const check = documentedAnswer(document);

export async function startApi(options: TestOptions = {}): Promise<TestApi> {
  const dataDir = options.home?.dataDir ?? mkdtempSync(join(tmpdir(), "postrider-test-"));
  const place = options.home?.place ?? options.place ?? (await newPlace(dataDir));
  const logLines: string[] = [];
  const clock = options.clock ?? systemClock;
  const log = createLog({ level: "debug", format: "json", clock, write: (line) => logLines.push(line) });
  const starts = (options.home?.starts ?? 0) + 1;
  const world: World = { clock, random: seededRandom(starts), log };
  const services = await openTestServices(place, dataDir, world);
  const { workspaceId, key } = options.home ?? (await firstWorkspace(services));
  const { run, leave } = await joinAsSender(services, clock.now());
  const relays = unwrap(parseRelayUrls(options.smtpUrl ?? "smtp://127.0.0.1:1"));
  const sending = openSending(services, world, {
    run,
    relays,
    baseUrl: options.baseUrl ?? BASE_URL,
    isCaptured: options.isCaptured ?? false,
    inboundSmtp: options.inboundSmtp ?? false,
    dns: options.dns ?? NO_DNS,
    askAmazon: options.askAmazon ?? (async () => null),
    resolve: options.resolve ?? NO_ADDRESSES,
    senderThreads: options.senderThreads ?? (options.clock ? 0 : SENDER_THREADS),
    ...(options.startSenderThread && { startSenderThread: options.startSenderThread }),
  });
  await sending.start();
  const app = openHttp(services, sending, world, options.isTrustedProxy ?? (() => false), {
    kind: "smtp",
    captured: options.captured ?? null,
    baseUrl: options.baseUrl ?? "http://localhost",
    corsOrigins: options.corsOrigins ?? [],
  });
  app.listen({ port: 0, hostname: "127.0.0.1" });
  const url = `http://127.0.0.1:${app.server!.port}`;
  const routes = Object.values(apiRoutes(services, sending)).flat();
  return {
    dataDir,
    place,
    starts,
    services,
    sending,
    routes,
    url,
    workspaceId,
    key,
    logLines,
    check,
    async call(method, path, body, withKey = key) {
      const answer = await callApi(`${url}/api/v1${path}`, method, withKey, body);
      check(method, path, answer);
      return answer;
    },
    async stop({ graceMs = 1_000, keep = false } = {}) {
      await app.server!.stop(true);
      await sending.stop(graceMs);
      await leave();
      await services.close();
      if (!keep) rmSync(dataDir, { recursive: true });
      if (!keep) await place.drop();
      const undocumented = undocumentedStatuses(document, logLines);
      if (undocumented.length > 0) throw new Error(`not documented: ${undocumented.join("; ")}`);
    },
  };
}

async function firstWorkspace(services: SqliteServices) {
  const { id, key } = await services.workspaces.create("Default");
  return { workspaceId: id, key };
}

/**
 * The same service with the key of a new, empty workspace: for a test that counts or changes things that other
 * tests of the file read.
 */
export async function inNewWorkspace<T extends TestApi>(api: T): Promise<T> {
  const { id, key } = await api.services.workspaces.create("Own");
  return {
    ...api,
    workspaceId: id,
    key,
    call: (method, path, body, withKey = key) => api.call(method, path, body, withKey),
  };
}

export async function callApi(url: string, method: string, key: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isFile = response.headers.has("content-disposition");
  const answered = text === "" || isFile ? null : JSON.parse(text);
  return { status: response.status, body: answered, headers: response.headers };
}

/** The status of an answer and the code of its error, as `[422, "VALIDATION_ERROR"]`. */
export const refusal = ({ status, body }: Pick<Answer, "status" | "body">): unknown[] => [
  status,
  body?.error?.code,
];

/** Every item of a list route, page by page. */
export async function everyItem(api: TestApi, path: string, key = api.key): Promise<any[]> {
  const items: any[] = [];
  for (let after = ""; ;) {
    const { body } = await api.call(
      "GET",
      `${path}${path.includes("?") ? "&" : "?"}limit=100&after=${after}`,
      undefined,
      key,
    );
    items.push(...body.data);
    if (body.pagination.nextCursor === null) return items;
    after = encodeURIComponent(body.pagination.nextCursor);
  }
}
