/** What a build of the console consists of (`scripts/console/build.ts`). */
export type Manifest = {
  /** All files, by the names under which browsers ask for them. Each is there as `.br` and as `.gz`. */
  readonly files: readonly string[];
  readonly script: string;
  /** Parts that the script needs at once. */
  readonly preload: readonly string[];
  readonly style: string;
};

/** A built console. */
export type Built = {
  readonly manifest: Manifest;
  /** Where a compressed file is, for `Bun.file`: `main-1a2b.js.br`. */
  pathOf(name: string): string;
};
