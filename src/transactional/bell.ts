/**
 * Wakes one waiting caller. A ring before anybody waits is not lost; several rings before a wait count as
 * one.
 */
export type Bell = { ring(): void; next(): Promise<void> };

export function newBell(): Bell {
  let hasRung = false;
  let wake = (): void => undefined;
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async next() {
      if (!hasRung) await new Promise<void>((resolve) => (wake = resolve));
      hasRung = false;
    },
  };
}
