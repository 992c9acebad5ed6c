/** The items in order, `size` at a time. */
export function* slicesOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
