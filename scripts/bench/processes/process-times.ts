import { readFileSync } from "node:fs";

/** The processor time of a process, in seconds; all its threads together. */
export type ProcessTimes = {
  readonly pid: number;
  readonly parent: number;
  readonly own: number;
  /** Of its children that have ended. */
  readonly ofEnded: number;
};

const TICKS_PER_SECOND = 100;

/** @throws where there is no such process (any more) */
export function timesOf(pid: number): ProcessTimes {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ").map(Number);
  const seconds = (first: number): number => (fields[first]! + fields[first + 1]!) / TICKS_PER_SECOND;
  return { pid, parent: fields[1]!, own: seconds(11), ofEnded: seconds(13) };
}

/** Processor time a process has used, all its threads together. */
export const cpuSeconds = (pid: number): number => timesOf(pid).own;
