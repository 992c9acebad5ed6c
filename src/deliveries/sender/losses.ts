import { putLast } from "#core/remembered.ts";
import type { OwedMessage } from "#deliveries/ledger.ts";

type Message = Pick<OwedMessage, "number">;

/** For a message that was forgotten, the relays are asked in their order again. */
const MESSAGES_KEPT = 1_000;

/** Which relays lost the connection of a message before its dot: another one gets it next. */
export class Losses<Relay> {
  readonly #relays = new Map<number, readonly Relay[]>();

  /** The relay that lost it last comes last. */
  of({ number }: Message): readonly Relay[] {
    return this.#relays.get(number) ?? [];
  }

  add(message: Message, relay: Relay): void {
    const others = this.of(message).filter((other) => other !== relay);
    putLast(this.#relays, message.number, [...others, relay], MESSAGES_KEPT);
  }

  forget({ number }: Message): void {
    this.#relays.delete(number);
  }
}
