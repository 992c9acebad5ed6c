let asked = 0;

/** How many reads and writes of this process are waiting for the database. */
export const askedNow = (): number => asked;

export async function countAsked<T>(work: () => Promise<T>): Promise<T> {
  asked++;
  try {
    return await work();
  } finally {
    asked--;
  }
}
