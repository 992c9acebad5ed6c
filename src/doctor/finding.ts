/** What a check examines. */
export type Check = {
  /** For programs: always the same for the same kind of check. */
  readonly id: string;
  /** For people. It may name the object of the check. */
  readonly name: string;
};

/** @param name of the check, if it is not the id with spaces */
export const about = (id: string, name = id.replaceAll("_", " ")): Check => ({ id, name });

/** What one check found. `advice` says what to do; null if there is nothing to do. */
export type Finding = {
  readonly id: string;
  readonly check: string;
  readonly result: "ok" | "warn" | "fail";
  readonly message: string;
  readonly advice: string | null;
  /** The record that the advice tells the reader to publish. */
  readonly record?: DnsRecord;
};

/** A DNS record to publish. A part that only the reader knows is in angle brackets. */
export type DnsRecord = { readonly type: "TXT" | "MX"; readonly name: string; readonly value: string };

/** The same finding with the record that helps. */
export const publishing = (found: Finding, record: DnsRecord): Finding => ({ ...found, record });

const finding = (
  { id, name }: Check,
  result: Finding["result"],
  message: string,
  advice: string | null,
): Finding => ({ id, check: name, result, message, advice });

export const ok = (check: Check, message: string): Finding => finding(check, "ok", message, null);

export const warn = (check: Check, message: string, advice: string): Finding =>
  finding(check, "warn", message, advice);

/** @param advice null if the message says it already */
export const fail = (check: Check, message: string, advice: string | null): Finding =>
  finding(check, "fail", message, advice);
