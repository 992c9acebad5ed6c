import { resolveNs, resolveTxt } from "node:dns/promises";
import { sleep, type Clock } from "#core/clock.ts";
import { checkDkim, checkDmarc, checkSpf, dmarcNames, isDmarc, type Records } from "./dns-records.ts";
import { about, fail, warn, type Finding } from "./finding.ts";

/** The DNS queries that are needed. They reject with the code of the answer. */
export type Dns = {
  txt(name: string): Promise<string[][]>;
  ns(name: string): Promise<string[]>;
};

export const systemDns: Dns = { txt: resolveTxt, ns: resolveNs };

export type SenderDomain = {
  readonly domain: string;
  readonly dkim: { readonly name: string; readonly publicKey: string | null } | null;
};

const LIMIT_MS = 3_000;

/**
 * Checks the records that mailbox providers look up. A missing resolver also answers "no such name". So a
 * name that must exist is asked first: the domain's top-level domain.
 */
export async function checkDns(dns: Dns, clock: Clock, sender: SenderDomain): Promise<Finding[]> {
  const { domain, dkim } = sender;
  const within = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, expiry(clock)]);
  const records = async (name: string): Promise<Records> => await within(textOf(dns, name));
  try {
    await within(dns.ns(domain.slice(domain.lastIndexOf(".") + 1)));
    return await Promise.all([
      records(domain).then((found) => checkSpf(domain, found)),
      nearestDmarc(domain, records).then((found) => checkDmarc(domain, found)),
      ...(dkim === null
        ? []
        : [records(dkim.name).then((found) => checkDkim(dkim.name, found, dkim.publicKey))]),
    ]);
  } catch {
    return [
      warn(
        about("dns", `DNS of ${domain}`),
        "could not be asked",
        "SPF, DMARC and DKIM were not looked at: run this where DNS answers",
      ),
    ];
  }
}

/** The record of one key alone. No answer within 3 s counts as not answered. */
export async function checkDkimRecord(
  dns: Dns,
  clock: Clock,
  { name, publicKey }: { readonly name: string; readonly publicKey: string },
): Promise<Finding> {
  const look = async (): Promise<Finding> => {
    await dns.ns(name.slice(name.lastIndexOf(".") + 1));
    return checkDkim(name, await textOf(dns, name), publicKey);
  };
  return await Promise.race([look(), expiry(clock)]).catch(() =>
    fail(about("dns", `DNS of ${name}`), "could not be asked", "run this where DNS answers"),
  );
}

async function nearestDmarc(domain: string, records: (name: string) => Promise<Records>) {
  for (const name of dmarcNames(domain)) {
    const found = (await records(name)).filter(isDmarc);
    if (found.length > 0) return { name, records: found };
  }
  return null;
}

/** "No records" is an answer; anything else, such as SERVFAIL, is not. */
async function textOf(dns: Dns, name: string): Promise<string[]> {
  try {
    return (await dns.txt(name)).map((pieces) => pieces.join(""));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
}

async function expiry(clock: Clock): Promise<never> {
  await sleep(clock, LIMIT_MS);
  throw new Error(`no answer within ${LIMIT_MS} ms`);
}
