/**
 * Who waits for a message, and so how it is treated:
 *
 *   bulk      nobody waits: campaigns and automations
 *   prompt    a person looks for it within minutes: the confirmation of a sign-up
 *   awaited   a caller holds a request open until the outcome is known: `POST /send`
 *
 * What follows from it, and where:
 *
 * - `bulk` leaves one connection of each relay free (`connection-room.ts`), and is served after the other two
 *   (`src/deliveries/sender/mailings.ts`). Only bulk mail may send its next message at once on the same connection,
 *   and only within its share of the connections, so that urgent mail gets the others (`Relay.mayGoOn`).
 * - `awaited` mail does not wait for a relay that is held: it tries again after a short pause (`short-pause.ts`).
 * - Its trouble does not stop campaigns if the request itself may be the cause, because the sender, the content and
 *   the short time limits are its own (`relay.ts`, `src/deliveries/sender/refusal-count.ts`). The time limits of `prompt`
 *   mail do not stop campaigns either, if the relay accepts other mail meanwhile.
 * - Its rows are committed at once and do not wait to share a commit (`LedgerStore.claimDot`).
 * - It is retried by a timer of its own (`src/deliveries/sender/recorder.ts`).
 *
 * How long an attempt may take, and for how long a message is retried, depends on its kind instead
 * (`attempt-limits.ts` and `retry-times.ts` in `src/deliveries/sender`).
 */
export type Urgency = "bulk" | "prompt" | "awaited";
