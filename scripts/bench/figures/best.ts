/**
 * Each side is measured this often, in turn with the others, and its best figure counts: a disturbance only makes a
 * run slower.
 */
export const ROUNDS = 3;

/** The best figure of each thing measured. Prints each figure as it comes. */
export function bestFigures() {
  const figures = new Map<string, number>();
  return {
    async measure(what: string, run: () => Promise<number>): Promise<void> {
      const figure = await run();
      console.log(`${what}: ${Math.round(figure)}/s`);
      figures.set(what, Math.max(figures.get(what) ?? 0, figure));
    },
    best(what: string): number {
      const figure = figures.get(what);
      if (figure === undefined) throw new Error(`${what} was not measured`);
      return figure;
    },
  };
}
