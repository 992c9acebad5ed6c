/**
 * Delivers one webhook to this machine, whatever name it has, and prints the result. Trusts the certificates that
 * its environment names.
 *
 *     bun test/support/webhooks/webhook-child.ts URL
 */
import { webhookAttempts } from "#webhooks/calls/attempt.ts";
import { systemClock } from "#core/time/clock.ts";

const request = {
  url: process.argv[2]!,
  id: "msg_1",
  body: '{"type":"automation.webhook"}',
  secrets: [`whsec_${Buffer.alloc(24, 7).toString("base64")}`],
  allowPrivate: true,
};
console.log(JSON.stringify(await webhookAttempts(systemClock, async () => ["127.0.0.1"])(request)));
