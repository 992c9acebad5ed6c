import { accept, AppError, refusalIn, type Result } from "./errors.ts";

/**
 * What became of each of many that were written separately. What was written before a failure stays, so each has its
 * own result: who heard only of the failure would send all of them again.
 * @param note called with each error that is no answer to the caller
 * @throws what the first one failed of, if all of them failed: nothing was written
 */
export function resultOfEach<T>(
  ended: readonly PromiseSettledResult<T>[],
  note: (error: unknown) => void,
): Result<T>[] {
  const failed = ended.filter((one) => one.status === "rejected");
  if (failed[0] !== undefined && failed.length === ended.length) throw failed[0].reason;
  for (const { reason } of failed) if (!(reason instanceof AppError)) note(reason);
  return ended.map((one) =>
    one.status === "fulfilled" ? accept(one.value) : { ok: false, refusal: refusalIn(one.reason) },
  );
}
