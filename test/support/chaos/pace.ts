/**
 * How fast a relay answers. Without it, the healthy nodes would send everything while another sleeps for several
 * leases, and later faults would hit no mail.
 */
export type Pace = {
  /** After so many messages, further ones wait for their answer. */
  hold(afterMessages: number): void;
  /** All are answered at once again. */
  letGo(): void;
  /** Resolves when the message with this number may be answered. */
  turnOf(message: number): Promise<void>;
};

export function newPace(): Pace {
  let limit = Infinity;
  let waiting: (() => void)[] = [];
  return {
    hold(afterMessages) {
      limit = afterMessages;
    },
    letGo() {
      limit = Infinity;
      for (const goOn of waiting) goOn();
      waiting = [];
    },
    async turnOf(message) {
      if (message > limit) await new Promise<void>((goOn) => waiting.push(goOn));
    },
  };
}
