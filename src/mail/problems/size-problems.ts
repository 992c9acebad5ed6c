import { sizeWarning } from "#mail/letter/letter-size.ts";
import type { Problem } from "./problem.ts";

/** For the HTML as it will be sent. The problem is about the letter as a whole. */
export function sizeProblems(htmlBytes: number): Problem[] {
  const message = sizeWarning(htmlBytes);
  return message === null ? [] : [{ severity: "warning", message, line: null, column: null }];
}
