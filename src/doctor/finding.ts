/** What one check found. `advice` says what to do; null if nothing has to be done. */
export type Finding = {
  readonly check: string;
  readonly result: "ok" | "warn" | "fail";
  readonly message: string;
  readonly advice: string | null;
};

export const ok = (check: string, message: string): Finding => ({
  check,
  result: "ok",
  message,
  advice: null,
});

export const warn = (check: string, message: string, advice: string): Finding => ({
  check,
  result: "warn",
  message,
  advice,
});

export const fail = (check: string, message: string, advice: string): Finding => ({
  check,
  result: "fail",
  message,
  advice,
});
