/**
 * A sender thread that breaks on purpose. The local part of a recipient says how:
 *
 *   exit, throw, hang       when the message is offered
 *   exit-before-dot         when its dot is ordered, before it is written
 *   exit-after-dot          when its dot was written
 *
 * `SENDER_THREAD_CRASHES`: the probability with which it ends itself before or after doing what it is ordered.
 */
import type { Order } from "#mail/smtp/threads/messages.ts";
import { runSenderThread, type Obey } from "#mail/smtp/threads/run-sender-thread.ts";

declare const self: Worker;

const CRASHES = Number(process.env["SENDER_THREAD_CRASHES"] ?? 0);

/** Everything that is sent in this turn of the event loop leaves before the exit. */
const exitSoon = (): void => void setTimeout(() => process.exit(1), 20);

const breakingBy = (obey: Obey): Obey => {
  const recipients = new Map<number, string>();
  return (order: Order) => {
    if (order.order === "offer") recipients.set(order.session, order.to.split("@")[0] ?? "");
    const how = "session" in order ? recipients.get(order.session) : undefined;
    if (order.order === "offer" && how === "throw") throw new Error("broken on purpose");
    if (order.order === "offer" && how === "exit") process.exit(1);
    if (order.order === "offer" && how === "hang") for (;;);
    if (order.order === "finish" && how === "exit-before-dot") process.exit(1);
    if (Math.random() < CRASHES) process.exit(1);
    obey(order);
    if (order.order === "finish" && how === "exit-after-dot") exitSoon();
    if (Math.random() < CRASHES) exitSoon();
  };
};

runSenderThread(self, breakingBy);
