/** Lets everything that waits for a socket or a commit run, between two slices of long work. */
export const nextLoopTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
