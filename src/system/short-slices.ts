/**
 * Short slices of the processor's time, for a server that sends mail beside busy programs.
 *
 * Such a server waits often and briefly: for the relay, for the disk. Each time, Linux lets a program that
 * computes without a pause finish its turn first, which may take milliseconds. A thread may ask for shorter
 * slices. Then it comes first when it wakes up, and its share of the processor stays the same
 * (sched_setattr(2), since Linux 6.12). Older kernels ignore the wish, and other systems have no such call.
 * Threads that start later inherit it.
 */
import { readdirSync } from "node:fs";

/** The shortest slice that Linux gives. */
export const SHORTEST_NS = 100_000n;

/** The numbers of the two calls: the C library has no functions for them before glibc 2.41. */
const CALLS: Readonly<Partial<Record<NodeJS.Architecture, { readonly get: number; readonly set: number }>>> =
  {
    x64: { get: 315, set: 314 },
    arm64: { get: 275, set: 274 },
  };

/** `struct sched_attr` in its first version: its length, and where its policy and its slice stand. */
const ATTRIBUTE_BYTES = 48;
const POLICY_AT = 4;
const SLICE_AT = 24;

/** The policy of ordinary threads. In others the slice means something else, so they stay as they are. */
const SCHED_OTHER = 0;

/**
 * Asks for slices of this length for all threads of this process. Programs that it starts inherit them. Where the
 * system does not know them, or refuses, nothing changes.
 */
export async function askForShortSlices(lengthNs: bigint): Promise<void> {
  const calls = process.platform === "linux" ? CALLS[process.arch] : undefined;
  if (calls === undefined) return;
  try {
    const call = await systemCall();
    for (const thread of readdirSync("/proc/self/task")) askFor(call, calls, Number(thread), lengthNs);
  } catch {
    // Another C library, or a sandbox without /proc: everything works without short slices.
  }
}

type SystemCall = (
  number: number,
  thread: number,
  attributes: Uint8Array,
  ...rest: [number, number]
) => bigint;

async function systemCall(): Promise<SystemCall> {
  const { dlopen } = await import("bun:ffi");
  const { symbols } = dlopen("libc.so.6", {
    syscall: { args: ["i64", "i64", "ptr", "i64", "i64"], returns: "i64" },
  });
  return symbols.syscall;
}

function askFor(
  call: SystemCall,
  { get, set }: { readonly get: number; readonly set: number },
  thread: number,
  lengthNs: bigint,
): void {
  const attributes = new Uint8Array(ATTRIBUTE_BYTES);
  const view = new DataView(attributes.buffer);
  if (call(get, thread, attributes, ATTRIBUTE_BYTES, 0) !== 0n) return;
  if (view.getUint32(POLICY_AT, true) !== SCHED_OTHER) return;
  view.setBigUint64(SLICE_AT, lengthNs, true);
  call(set, thread, attributes, 0, 0);
}
