/** Counts the requests that are being answered. Background work waits while there are any. */
export type UnderWay = {
  /** Counts one more request. Call the returned function when it is answered. */
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
