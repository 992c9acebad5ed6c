import { expect, test } from "bun:test";
import { yieldTurns } from "#core/time/event-loop.ts";
import type { Taken } from "#bounces/incoming.ts";
import { amazonSns } from "#inbound/hooks/amazon.ts";
import { hookService, type Hook } from "#inbound/hooks/service.ts";
import type { Provider } from "#inbound/hooks/provider.ts";
import { DEFAULT_SETTINGS } from "#workspaces/settings/settings.ts";
import type { WorkspaceService } from "#workspaces/service.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";
import { KEYS, signedBy, type Signed } from "../support/inbound/hooks.ts";
import { manualClock } from "../support/common/manual-clock.ts";
import { EXAMPLES } from "../support/inbound/provider-examples.ts";

const clock = manualClock();

/** Hooks whose reports go to `takeReport`. */
function hooks(takeReport: () => Promise<Taken>) {
  const used = new Set<string>();
  const service = hookService({
    workspaces: {} as WorkspaceService,
    bounces: { takeReport },
    amazon: amazonSns({ clock, ask: async () => null }),
    tokens: {
      isUsed: async (_, token) => used.has(token),
      use: async (_, token) => void used.add(token),
    },
    clock,
    log: SILENT_LOG,
  });
  const take = (provider: Provider, { body, headers }: Signed) => {
    const hook: Hook = { provider, workspaceId: "ws_1", settings: { ...DEFAULT_SETTINGS, ...KEYS } };
    const bytes = new TextEncoder().encode(body);
    return service.take(hook, { headers: new Headers(headers), bytes, json: async () => JSON.parse(body) });
  };
  return take;
}

const eventOf = (provider: Provider) =>
  EXAMPLES.find((one) => one.provider === provider && one.kind === "hard")?.body(
    "a@example.com",
    "<a@example.com>",
  );

test("a request is answered only after its report is durable", async () => {
  const written = Promise.withResolvers<Taken>();
  let isAnswered = false;
  const answer = hooks(() => written.promise)("brevo", signedBy("brevo", eventOf("brevo"))).then(
    (reports) => {
      isAnswered = true;
      return reports;
    },
  );
  await yieldTurns(5);
  expect(isAnswered).toBeFalse();
  written.resolve("applied");
  expect(await answer).toBe(1);
});

test("a report that cannot be kept fails the request, and Mailgun may send the same again", async () => {
  let isFull = true;
  const take = hooks(async () => (isFull ? Promise.reject(new Error("disk full")) : "applied"));
  const signed = signedBy("mailgun", eventOf("mailgun"), clock.now());
  expect(String(await take("mailgun", signed).catch((error: unknown) => error))).toContain("disk full");
  isFull = false;
  expect(await take("mailgun", signed)).toBe(1);
  expect(String(await take("mailgun", signed).catch((error: unknown) => error))).toContain("used before");
});

test("a long batch lets others have their turn, whatever becomes of its reports", async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const byTurn = new Map<number, number>();
  const take = hooks(async () => {
    byTurn.set(turn, (byTurn.get(turn) ?? 0) + 1);
    return "unmatched";
  });
  const events = Array.from({ length: 1000 }, () => eventOf("sendgrid")).flat();
  expect(await take("sendgrid", signedBy("sendgrid", events))).toBe(1000);
  isOver = true;
  expect(Math.max(...byTurn.values())).toBeLessThanOrEqual(25);
});
