import { about, fail, ok, publishing, warn, type Finding } from "#doctor/finding.ts";

/** The TXT records of a name, each in one piece. Empty if the name or the record does not exist. */
export type Records = readonly string[];

/** RFC 7208: who may send for a domain. Does not follow what its mechanisms include. */
export function checkSpf(domain: string, records: Records): Finding {
  const check = about("spf", `SPF of ${domain}`);
  const found = records.filter((record) => /^v=spf1(?: |$)/i.test(record));
  const value = "v=spf1 include:<your relay's SPF name> ~all";
  const [record, ...more] = found;
  if (record === undefined)
    return publishing(warn(check, "there is no record", `publish one TXT record at ${domain}: ${value}`), {
      type: "TXT",
      name: domain,
      value,
    });
  if (more.length > 0)
    return fail(
      check,
      `there are ${found.length} records, so none counts (RFC 7208, 4.5)`,
      "keep one of them",
    );
  if (/(?:^| )\+?all(?: |$)/i.test(record))
    return fail(check, `${record} lets everybody send`, "end it with ~all or -all");
  return ok(check, record);
}

/**
 * RFC 7489: what receivers do with mail that fails. `found` is the record of the nearest name, going up, that
 * has one.
 */
export function checkDmarc(
  domain: string,
  found: { readonly name: string; readonly records: Records } | null,
): Finding {
  const check = about("dmarc", `DMARC of ${domain}`);
  const [record, ...more] = found?.records ?? [];
  if (found === null || record === undefined)
    return publishing(
      warn(
        check,
        "there is no record",
        `publish a TXT record at _dmarc.${domain}: v=DMARC1; p=none; rua=mailto:<you>. Large mailbox providers ask for one`,
      ),
      { type: "TXT", name: `_dmarc.${domain}`, value: "v=DMARC1; p=none; rua=mailto:<you>" },
    );
  if (more.length > 0)
    return fail(
      check,
      `there are ${more.length + 1} records at ${found.name}, so none counts`,
      "keep one of them",
    );
  const policy = tagOf(record, "p")?.toLowerCase() ?? "";
  if (!["none", "quarantine", "reject"].includes(policy))
    return fail(check, `${record} has no valid p=`, "give it p=none, p=quarantine or p=reject");
  return ok(check, `${record} (at ${found.name})`);
}

export const isDmarc = (record: string): boolean => /^v=DMARC1\s*(?:;|$)/.test(record);

/**
 * The names that may hold a domain's DMARC record: the domain itself and the domains above it, except a
 * top-level domain.
 */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, from) => `_dmarc.${labels.slice(from).join(".")}`);
}

/**
 * RFC 6376, 3.6.1: the key that receivers check signatures with.
 * @param publicKey the public half of the key that signs mail, DER in base64; null if it is not known
 */
export function checkDkim(name: string, records: Records, publicKey: string | null): Finding {
  const check = about("dkim", `DKIM at ${name}`);
  const [key, ...more] = records.map((record) => tagOf(record, "p")).filter((tag) => tag !== undefined);
  const value = `v=DKIM1; k=rsa; p=${publicKey ?? "<the public key>"}`;
  const publish = (message: string): Finding =>
    publishing(fail(check, message, `publish a TXT record at ${name}: ${value}`), {
      type: "TXT",
      name,
      value,
    });
  if (key === undefined) return publish("there is no record, so signatures cannot be checked");
  if (more.length > 0) return fail(check, `there are ${more.length + 1} records`, "keep one of them");
  const published = key.replaceAll(/\s/g, "");
  if (published === "") return publish("the key is revoked (p= is empty)");
  if (publicKey !== null && published !== publicKey)
    return publish("its key is not the one of dkimPrivateKeyFile");
  return ok(check, publicKey === null ? "there is a key" : "its key is the one mail is signed with");
}

/** The value of a tag in a `name=value; …` list. */
function tagOf(record: string, tag: string): string | undefined {
  const pair = record.split(";").find((part) => part.trim().toLowerCase().startsWith(`${tag}=`));
  return pair
    ?.trim()
    .slice(tag.length + 1)
    .trim();
}
