/** The code that runs in a sender thread: it holds conversations with relays, as ordered by the main thread. */
import { systemClock } from "#core/time/clock.ts";
import { present } from "#core/present.ts";
import type { Offer, SmtpSession } from "#mail/smtp/session/smtp-outcome.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { inBatches } from "./batch.ts";
import type { Memory, News, Order, Report } from "./messages.ts";

/** Carries out an order. */
export type Obey = (order: Order) => void;

/** `around` gets the thread's own `obey`: a test may insert something between an order and what is done. */
export function runSenderThread(thread: Worker, around: (obey: Obey) => Obey = (obey) => obey): void {
  const memories = new Map<number, SharedArrayBuffer>();
  const tell = inBatches((batch) => thread.postMessage(batch, []));
  const obey = around(obeyWith(memories, tell));
  thread.addEventListener("message", ({ data }: MessageEvent<string | Memory>) => {
    if (typeof data !== "string") return void memories.set(data.memory, data.bytes);
    const orders = JSON.parse(data) as Order[];
    // A question whether this thread still works: any answer will do.
    if (orders.length === 0) thread.postMessage("[]", []);
    for (const order of orders) obey(order);
  });
}

type Offered = Extract<Offer, { ok: true }>;
type Known = { readonly session: SmtpSession; offered: Offered | null };
type OrderTo<Name extends Order["order"]> = Extract<Order, { order: Name }>;

function obeyWith(memories: Map<number, SharedArrayBuffer>, tell: (report: Report) => void): Obey {
  const sessions = new Map<number, Known>();

  const say = (number: number, { session }: Known, news: News): void => {
    const { usable, served, endedAfter } = session;
    tell({ session: number, state: { usable, served, endedAfter }, ...news });
  };

  const open = async ({ session: number, relay }: OrderTo<"open">): Promise<void> => {
    const ended = (): void => {
      if (sessions.get(number) === known) say(number, known, { report: "ended" });
    };
    const session = smtpSession(relay, systemClock, {}, ended);
    const known: Known = { session, offered: null };
    sessions.set(number, known);
    const failure = await session.open();
    const { encrypted, loggedIn, pipelines } = session;
    say(number, known, { report: "opened", failure, encrypted, loggedIn, pipelines });
  };

  const offer = async (order: OrderTo<"offer">, known: Known): Promise<void> => {
    const { session: number, from, to, memory, length } = order;
    const bytes = Buffer.from(present(memories.get(memory), "memory of a message"), 0, length);
    const answer = await known.session.offer({ from, to }, { bytes });
    known.offered = answer.ok ? answer : null;
    say(number, known, { report: "offered", failure: answer.ok ? null : answer.failure });
  };

  const finish = async (number: number, known: Known): Promise<void> => {
    const offered = present(known.offered, "message at its dot");
    known.offered = null;
    say(number, known, { report: "answered", outcome: await offered.finish() });
  };

  const close = async (number: number, known: Known): Promise<void> => {
    await known.session.close();
    say(number, known, { report: "closed" });
    sessions.delete(number);
  };

  const destroy = (number: number, known: Known): void => {
    sessions.delete(number);
    known.session.destroy();
  };

  return (order) => {
    if (order.order === "open") return void open(order);
    if (order.order === "forget") return void memories.delete(order.memory);
    const known = sessions.get(order.session);
    if (known === undefined) return;
    if (order.order === "offer") return void offer(order, known);
    if (order.order === "finish") return void finish(order.session, known);
    if (order.order === "close") return void close(order.session, known);
    destroy(order.session, known);
  };
}
