/** Lets everything that waits for a socket or a commit have its turn, between two slices of long work. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
