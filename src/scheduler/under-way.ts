/** How many requests somebody waits for: work that nobody waits for keeps out of their way. */
export type UnderWay = {
  /** One more; call what it returns once it is answered. */
  begin(): () => void;
  readonly isAny: boolean;
};

export function underWay(): UnderWay {
  let count = 0;
  return {
    begin() {
      count++;
      return () => void count--;
    },
    get isAny() {
      return count > 0;
    },
  };
}
