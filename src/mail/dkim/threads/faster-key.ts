import type { KeyObject } from "node:crypto";
import { systemClock } from "#core/time/clock.ts";
import { signNow } from "#mail/dkim/rsa-signature.ts";
import { systemKey, type KeyInUse } from "./system-openssl.ts";

const TRIES = 4;

/** The key, used by whatever signs faster with it on this machine: the runtime or the system's OpenSSL. */
export function fasterKey(key: KeyObject, system: KeyInUse | null = systemKey(key)): KeyInUse {
  const ours: KeyInUse = { sign: (text) => signNow(text, key), free: () => undefined };
  if (system === null) return ours;
  if (signsTheSame(system, ours) && leastMs(system) < leastMs(ours)) return system;
  system.free();
  return ours;
}

function signsTheSame(one: KeyInUse, other: KeyInUse): boolean {
  try {
    return ["a", "text\r\n".repeat(200)].every((text) => one.sign(text) === other.sign(text));
  } catch {
    return false;
  }
}

/** The shortest of a few, because other threads may take the processor away in the middle of one. */
function leastMs({ sign }: KeyInUse): number {
  const tries = Array.from({ length: TRIES }, (_, n) => {
    const startedMs = systemClock.monotonicMs();
    sign(`text ${n}`);
    return systemClock.monotonicMs() - startedMs;
  });
  return Math.min(...tries);
}
