/** The options of a chaos run, its figures, and the promises that it found broken. */
export const FAULTS = ["kill", "stop", "crash", "partition", "takeover"] as const;
export type Fault = (typeof FAULTS)[number];

/** What is broken on purpose, to show that the run notices. */
export type Mutant = "no fence" | "no clock";

export type ChaosOptions = {
  readonly nodes: number;
  readonly recipients: number;
  /** Connections of each node to the relay. */
  readonly connections: number;
  /** How often each happens. */
  readonly faults: Readonly<Record<Fault, number>>;
  readonly leaseMs: number;
  /** Of every so many messages, the relay defers one, once; it is tried again a minute later. 0: none. */
  readonly putsOffEvery: number;
  /** How many readers opt out while the campaign is sent. */
  readonly optOuts: number;
  readonly seed: number;
  readonly mutant?: Mutant;
};

export type ChaosFigures = {
  readonly accepted: number;
  readonly sent: number;
  readonly uncertain: number;
  readonly skipped: number;
  /** Messages that the relay took for one row beyond the first. */
  readonly duplicates: number;
  /** Rows marked sent that the relay never took, rows that are not final, and readers without a row. */
  readonly lost: number;
  /** Mail to people whose opt-out was answered longer ago than a node can sleep with a claimed dot. */
  readonly mailedAfterOptOut: number;
  /** Messages of a node that the relay took after others had fenced it. */
  readonly afterFence: number;
  /** Processes of nodes that ended, by a fault or because they were fenced. */
  readonly ended: number;
  /** Mailings whose counters differ from their rows. */
  readonly miscounted: readonly string[];
  readonly seconds: number;
};

/** The promises that did not hold; empty if all of them did. */
export function brokenPromises({ faults, connections }: ChaosOptions, figures: ChaosFigures): string[] {
  const { duplicates, lost, mailedAfterOptOut, miscounted, afterFence, uncertain, ended } = figures;
  return [
    ...(duplicates > 0 ? [`${duplicates} were mailed twice.`] : []),
    ...(lost > 0 ? [`${lost} are lost.`] : []),
    ...(mailedAfterOptOut > 0 ? [`${mailedAfterOptOut} were mailed after they had opted out.`] : []),
    ...miscounted.map((fault) => `The numbers are wrong: ${fault}.`),
    // A process that is stopped between its last look at the clock and the dot can send one dot when it wakes.
    ...(afterFence > faults.stop ? [`${afterFence} went out after their node was fenced.`] : []),
    ...(uncertain > ended * connections
      ? [`${uncertain} are uncertain, after ${ended} ends of a node.`]
      : []),
  ];
}
