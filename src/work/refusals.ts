/** Why a job is refused, in words for the author of what it works on. */
import { invalid, type Result } from "#core/errors/errors.ts";

/** What a job works on. */
export type Matter = "letter" | "flow" | "mail";

/** What it has too much of, or takes too much of. `crash`: its thread ended by itself. */
export type Excess = "time" | "memory" | "crash";

const SAYS: Readonly<Record<Matter, Readonly<Record<Excess | "size", string>>>> = {
  letter: {
    size: "The letter is larger than 8 MB. Shorten it.",
    time: "The letter takes too much work to make: its HTML, MJML or Liquid is too long or too deeply nested. Make it simpler.",
    memory:
      "The letter takes too much memory to make: its HTML, MJML or Liquid is too long or too deeply nested. Make it simpler.",
    crash: "The letter cannot be made: its HTML, MJML or Liquid is too deeply nested. Make it simpler.",
  },
  flow: {
    size: "The flow is larger than 8 MB. Make it smaller.",
    time: "The flow takes too much work to go through: it has too many steps, or Liquid that is too long or too deeply nested. Make it simpler.",
    memory:
      "The flow takes too much memory to go through: it has too many steps, or Liquid that is too long or too deeply nested. Make it simpler.",
    crash: "The flow cannot be gone through: its Liquid is too deeply nested. Make it simpler.",
  },
  mail: {
    size: "The mail is larger than 8 MB.",
    time: "The mail takes too much work to read.",
    memory: "The mail takes too much memory to read.",
    crash: "The mail cannot be read: it is too deeply nested.",
  },
};

/** A refusal for memory is passing: memory is that of the whole process, so the next try may succeed. */
export function refused(about: Matter, excess: Excess | "size"): Result<never> {
  const { ok, refusal } = invalid(SAYS[about][excess]);
  return excess === "memory" ? { ok, refusal: { ...refusal, isPassing: true } } : { ok, refusal };
}
