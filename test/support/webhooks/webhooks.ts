/** Webhooks of a workspace that may call this machine, and the events that they received. */
import { Webhook } from "standardwebhooks";
import type { TestApi } from "../server/api.ts";
import type { ManualClock } from "../common/manual-clock.ts";
import { eventually } from "../common/eventually.ts";
import type { WebhookTarget } from "./webhook-target.ts";
import { isDatabaseBusy, rowsFrom } from "../server/services.ts";

export type Message = { type: string; timestamp: string; data: any };

export type Listening = {
  readonly id: string;
  readonly secret: string;
  /** What has arrived so far; each is checked with the reference library. */
  messages(): Message[];
  types(): string[];
  /** The deliveries as the API shows them, newest first. */
  deliveries(query?: string): Promise<any[]>;
};

/** Makes a webhook that leads to `target`. */
export async function listen(
  api: TestApi,
  target: WebhookTarget,
  events: readonly string[] = ["*"],
  path = "/hook",
): Promise<Listening> {
  await api.services.workspaces.changeSettings(api.workspaceId, { allowPrivateWebhooks: true });
  const url = `http://127.0.0.1:${target.port}${path}`;
  const { status, body } = await api.call("POST", "/webhooks", { url, events });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { id, secret } = body.data;
  const messages = (): Message[] =>
    target.received
      .filter((one) => one.path === path)
      .map((one) => {
        verify(secret, one);
        return JSON.parse(one.body) as Message;
      });
  return {
    id,
    secret,
    messages,
    types: () => messages().map(({ type }) => type),
    deliveries: async (query = "") =>
      (await api.call("GET", `/webhooks/${id}/deliveries?limit=100${query}`)).body.data,
  };
}

/** Checks a message with the reference library of Standard Webhooks, at the time that the message gives. */
export function verify(secret: string, { headers, body }: { headers: Headers; body: string }): void {
  const [id, seconds] = [headers.get("webhook-id")!, Number(headers.get("webhook-timestamp"))];
  const signature = new Webhook(secret).sign(id, new Date(seconds * 1000), body);
  if (!headers.get("webhook-signature")!.split(" ").includes(signature))
    throw new Error(`The signature of ${id} is not good.`);
}

/** Waits until nothing is owed to the webhook any more. */
export const allDelivered = (api: TestApi, { id }: Listening): Promise<void> =>
  eventually(
    () =>
      rowsFrom(
        api,
        `SELECT d.seq FROM webhook_deliveries AS d JOIN webhooks AS w ON w.seq = d.webhook
         WHERE w.id = ? AND d.state = 'PENDING'`,
        id,
      ).length === 0,
  );

/** The limit of one attempt: its timer runs while the request is under way. */
const ATTEMPT_MS = 10_000;

/** A clock that can be moved without cutting off a request: `underWay` tells how many requests of webhooks are running. */
export function watchingCalls(clock: ManualClock): ManualClock & { readonly underWay: () => number } {
  let underWay = 0;
  return {
    now: clock.now,
    monotonicMs: clock.monotonicMs,
    advance: clock.advance,
    waitsFor: clock.waitsFor,
    get pending() {
      return clock.pending;
    },
    underWay: () => underWay,
    setTimer(delayMs, run) {
      if (delayMs !== ATTEMPT_MS) return clock.setTimer(delayMs, run);
      underWay++;
      let isOver = false;
      const end = (): void => {
        if (!isOver) underWay--;
        isOver = true;
      };
      const cancel = clock.setTimer(delayMs, () => {
        end();
        run();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
}

/** Lets time pass until something holds, but none while a request is under way: a busy machine changes nothing. */
export const passUntil = (
  clock: ReturnType<typeof watchingCalls>,
  holds: () => boolean,
  stepMs = 5,
): Promise<void> =>
  eventually(() => {
    if (clock.underWay() === 0 && !isDatabaseBusy()) clock.advance(stepMs);
    return holds();
  });
