/** A job that waits for a thread, and its workspace. */
type Waiting = { readonly workspaceId: string };

/**
 * Decides who is next if several workspaces wait: the one that has used the least thread time, and of its
 * jobs the oldest. A new workspace starts with the time of the one served last, so that nobody can save up
 * time by being idle.
 */
export class FairQueue<Item extends Waiting> {
  #waiting: Item[] = [];
  readonly #spentMs = new Map<string, number>();
  #floorMs = 0;

  get length(): number {
    return this.#waiting.length;
  }

  lengthOf(workspaceId: string): number {
    return this.#waiting.filter((item) => item.workspaceId === workspaceId).length;
  }

  add(item: Item): void {
    this.#spentMs.set(item.workspaceId, this.#spentOf(item.workspaceId));
    this.#waiting.push(item);
  }

  /** Takes the next item whose workspace is free; null if there is none. */
  take(isFree: (workspaceId: string) => boolean): Item | null {
    let next: Item | null = null;
    for (const item of this.#waiting)
      if (isFree(item.workspaceId) && (next === null || this.#isBefore(item, next))) next = item;
    if (next === null) return null;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#floorMs = this.#spentOf(next.workspaceId);
    return next;
  }

  /** Records that a workspace used a thread for this long. */
  charge(workspaceId: string, ms: number): void {
    this.#spentMs.set(workspaceId, this.#spentOf(workspaceId) + ms);
    const waiting = new Set(this.#waiting.map((item) => item.workspaceId));
    for (const [known, spentMs] of this.#spentMs)
      if (!waiting.has(known) && spentMs <= this.#floorMs) this.#spentMs.delete(known);
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    return this.#waiting.splice(0);
  }

  #spentOf(workspaceId: string): number {
    return Math.max(this.#spentMs.get(workspaceId) ?? 0, this.#floorMs);
  }

  #isBefore(a: Item, b: Item): boolean {
    return this.#spentOf(a.workspaceId) < this.#spentOf(b.workspaceId);
  }
}
