import { about, fail, ok, publishing, warn, type Finding } from "#doctor/finding.ts";
import { checkSpf, type Records } from "./dns-records.ts";

/** The DNS records of the domain that receives the reports of failed mail. */
export type BounceDomainRecords = {
  readonly domain: string;
  /** The domain of `fromEmail`. */
  readonly fromDomain: string;
  /** The name of the DMARC record that applies to `fromDomain`, without `_dmarc.`; null if there is none. */
  readonly dmarcAt: string | null;
  readonly spf: Records;
  /** Mail servers of the domain, the preferred ones first. */
  readonly mx: readonly string[];
  /** Whether one of them is this machine; null if INBOUND_SMTP is not set, because then mail comes in elsewhere. */
  readonly leadsHere: boolean | null;
  /** Whether the workspace has a `bounceMailbox`. */
  readonly hasMailbox: boolean;
};

/** SPF is looked up for this domain, because it is the envelope sender's. Reports need an MX to arrive. */
export function checkBounceDomain(records: BounceDomainRecords): Finding[] {
  const { domain, spf } = records;
  return [
    { ...checkSpf(domain, spf), id: "bounce_spf", check: `SPF of bounceDomain ${domain}` },
    checkAlignment(records),
    checkMx(records),
  ];
}

/** RFC 9989 (DMARC), relaxed alignment: both under one organization's domain. */
function checkAlignment({ domain, fromDomain, dmarcAt }: BounceDomainRecords): Finding {
  const check = about("bounce_alignment", `bounceDomain ${domain}`);
  const roofs = [fromDomain, ...(dmarcAt === null ? [] : [dmarcAt])];
  const isAligned = isUnder(fromDomain, domain) || roofs.some((roof) => isUnder(domain, roof));
  return isAligned
    ? ok(check, `aligned with fromEmail at ${fromDomain}, so SPF counts for DMARC`)
    : warn(
        check,
        `not aligned with fromEmail at ${fromDomain}: SPF does not count for DMARC`,
        `take a name below ${fromDomain}, such as bounces.${fromDomain}, or be sure that DKIM signs`,
      );
}

const isUnder = (name: string, roof: string): boolean => name === roof || name.endsWith(`.${roof}`);

function checkMx({ domain, mx, leadsHere, hasMailbox }: BounceDomainRecords): Finding {
  const check = about("bounce_mx", `MX of ${domain}`);
  const [first] = mx;
  // RFC 7505: one MX "." says that the domain takes no mail.
  if (first === undefined || first === "" || first === ".")
    return publishing(
      fail(
        check,
        "there is none, so reports cannot arrive",
        `publish an MX record at ${domain}: the name of this server with INBOUND_SMTP, or of the mailbox's provider`,
      ),
      { type: "MX", name: domain, value: "10 <the name of the server>" },
    );
  const names = mx.join(" and ");
  if (leadsHere === null)
    return hasMailbox
      ? ok(check, `${names}; its mail has to arrive in bounceMailbox`)
      : warn(
          check,
          `${names}, and nobody reads what arrives there`,
          "set bounceMailbox to the mailbox it arrives in, or start the server with INBOUND_SMTP",
        );
  return leadsHere
    ? ok(check, `${names}, which is this machine`)
    : warn(
        check,
        `${names} has no address of this machine, and INBOUND_SMTP takes the mail here`,
        "let the MX record name this server; where it is behind another address, see that port 25 leads here",
      );
}
