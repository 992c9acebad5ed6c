import { resolve4, resolve6, resolveMx, resolveNs, resolveTxt } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { sleep, type Clock } from "#core/time/clock.ts";
import { checkDkim, checkDmarc, checkSpf, dmarcNames, isDmarc, type Records } from "./dns-records.ts";
import { checkBounceDomain } from "./bounce-domain.ts";
import { about, fail, warn, type Finding } from "#doctor/finding.ts";

/** The DNS queries that are needed. They reject with the code of the answer. */
export type Dns = {
  txt(name: string): Promise<string[][]>;
  ns(name: string): Promise<string[]>;
  mx(name: string): Promise<{ exchange: string; priority: number }[]>;
  addresses(name: string): Promise<string[]>;
};

export const systemDns: Dns = {
  txt: resolveTxt,
  ns: resolveNs,
  mx: resolveMx,
  addresses: async (name) =>
    (await Promise.all([resolve4(name).catch(() => []), resolve6(name).catch(() => [])])).flat(),
};

export type SenderDomain = {
  readonly domain: string;
  readonly dkim: { readonly name: string; readonly publicKey: string | null } | null;
  /** Missing if reports go to `fromEmail`. */
  readonly bounces?: {
    readonly domain: string;
    /** Whether the service takes its mail itself (`INBOUND_SMTP`). */
    readonly inboundSmtp: boolean;
    /** Whether the workspace has a mailbox that is read (`bounceMailbox`). */
    readonly hasMailbox: boolean;
  };
};

const LIMIT_MS = 3_000;

/**
 * Checks the records that mailbox providers look up. A resolver that is missing also answers "no such name". So a
 * name that must exist is looked up first: the domain's top-level domain.
 */
export async function checkDns(dns: Dns, clock: Clock, sender: SenderDomain): Promise<Finding[]> {
  const { domain, dkim, bounces } = sender;
  const within = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, expiry(clock)]);
  const records = async (name: string): Promise<Records> => await within(textOf(dns, name));
  const isAnswering = within(dns.ns(domain.slice(domain.lastIndexOf(".") + 1)));
  const dmarc = isAnswering.then(() => nearestDmarc(domain, records));
  const checked = <T>(name: string, check: (found: Records) => T): Promise<T | Unanswered> =>
    answered(name, isAnswering.then(() => records(name)).then(check));
  const ofSender = await Promise.all([
    checked(domain, (found) => checkSpf(domain, found)),
    answered(
      `_dmarc.${domain}`,
      dmarc.then((found) => checkDmarc(domain, found)),
    ),
    ...(dkim === null ? [] : [checked(dkim.name, (found) => checkDkim(dkim.name, found, dkim.publicKey))]),
  ]);
  if (ofSender.every((found) => found instanceof Unanswered))
    return [
      warn(
        about("dns", `DNS of ${domain}`),
        "could not be asked",
        "SPF, DMARC and DKIM were not looked at: run this where DNS answers",
      ),
    ];
  const ofBounces = async (own: NonNullable<typeof bounces>): Promise<Finding[]> => {
    const dmarcAt = (await dmarc)?.name.replace(/^_dmarc\./, "") ?? null;
    const mx = await within(mailServers(dns, own.domain));
    return checkBounceDomain({
      domain: own.domain,
      fromDomain: domain,
      dmarcAt,
      spf: await records(own.domain),
      mx,
      hasMailbox: own.hasMailbox,
      leadsHere: own.inboundSmtp ? await within(leadsHere(dns, mx)) : null,
    });
  };
  const found =
    bounces === undefined ? ofSender : [...ofSender, await answered(bounces.domain, ofBounces(bounces))];
  return found.flatMap((one) => (one instanceof Unanswered ? one.finding() : one));
}

/** A name of a domain whose other names are answered: its servers fail, for receivers too. */
class Unanswered {
  constructor(private readonly name: string) {}

  finding(): Finding {
    return warn(
      about("dns", `DNS of ${this.name}`),
      "could not be asked",
      "its name servers fail or are slow, for receivers of your mail too: ask whoever runs the DNS of this domain",
    );
  }
}

const answered = async <T>(name: string, found: Promise<T>): Promise<T | Unanswered> =>
  await found.catch(() => new Unanswered(name));

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

/** The preferred ones first. */
async function mailServers(dns: Dns, domain: string): Promise<string[]> {
  const found = await dns.mx(domain).catch(noRecords);
  return found.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
}

/** Whether one of these hosts has an address of this machine. */
async function leadsHere(dns: Dns, hosts: readonly string[]): Promise<boolean> {
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address)),
  );
  const addresses = await Promise.all(hosts.map((host) => dns.addresses(host).catch(noRecords)));
  return addresses.flat().some((address) => own.has(address));
}

/** "No records" is an answer; anything else, such as SERVFAIL, is not. */
async function textOf(dns: Dns, name: string): Promise<string[]> {
  try {
    return (await dns.txt(name)).map((pieces) => pieces.join(""));
  } catch (error) {
    return noRecords(error);
  }
}

function noRecords(error: unknown): never[] {
  const { code } = error as { code?: unknown };
  if (code === "ENOTFOUND" || code === "ENODATA") return [];
  throw error;
}

async function expiry(clock: Clock): Promise<never> {
  await sleep(clock, LIMIT_MS);
  throw new Error(`no answer within ${LIMIT_MS} ms`);
}
