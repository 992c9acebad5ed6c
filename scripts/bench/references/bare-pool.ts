/**
 * The reference for sending: nodemailer's own pool with a ready-made message and no database.
 * `bun scripts/bench/references/bare-pool.ts PORT COUNT CONNECTIONS [BYTES]` prints messages per second. The message is the
 * one that Postrider makes, or a plain one of so many bytes.
 */
import { createTransport } from "nodemailer";
import { composedLetter } from "../data/letter.ts";

const [port, count, connections, bytes] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number?,
];
const transport = createTransport({
  pool: true,
  host: "127.0.0.1",
  port,
  secure: false,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: Infinity,
});
const raw = Buffer.from(bytes === undefined ? composedLetter() : plainMessage(bytes));

function plainMessage(length: number): string {
  const head = "From: bench@example.org\r\nTo: reader@example.com\r\nSubject: Spring\r\n\r\n";
  const line = `${"Lorem ipsum ".repeat(6)}\r\n`;
  return (head + line.repeat(Math.ceil(length / line.length))).slice(0, length - 2) + "\r\n";
}

const startedMs = performance.now();
let next = 0;
const sendOn = async (): Promise<void> => {
  while (next < count) {
    const to = `reader${next++}@example.com`;
    await transport.sendMail({ envelope: { from: "bench@example.org", to }, raw });
  }
};
await Promise.all(Array.from({ length: connections * 2 }, sendOn));
console.log(Math.round(count / ((performance.now() - startedMs) / 1000)));
transport.close();
