/**
 * The reference for sending: nodemailer's own pool with ready-made messages and no database.
 * `bun scripts/bench/bare-pool.ts PORT COUNT CONNECTIONS` prints messages per second.
 */
import { createTransport } from "nodemailer";
import { letterHtml } from "./letter.ts";

const [port, count, connections] = process.argv.slice(2).map(Number) as [number, number, number];
const transport = createTransport({
  pool: true,
  host: "127.0.0.1",
  port,
  secure: false,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: Infinity,
});
const text = `From: a@example.org\r\nTo: b@example.com\r\nSubject: Bench\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n`;
const raw = Buffer.from(text + letterHtml().replaceAll("</p>", "</p>\r\n"));

const startedMs = performance.now();
let next = 0;
const sendOn = async (): Promise<void> => {
  while (next < count) {
    const to = `reader${next++}@example.com`;
    await transport.sendMail({ envelope: { from: "a@example.org", to }, raw });
  }
};
await Promise.all(Array.from({ length: connections * 2 }, sendOn));
console.log(Math.round(count / ((performance.now() - startedMs) / 1000)));
transport.close();
