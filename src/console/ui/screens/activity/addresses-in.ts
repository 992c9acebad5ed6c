import type { BounceMail } from "../../api/api.gen.ts";

const FOUND_MAX = 10;
/** A stranger wrote the mail, and may have filled it with @. */
const LOOKS_MAX = 2_000;
const LOCAL_PART_MAX = 64;
const DOMAIN_MAX = 253;

/**
 * Addresses that stand in a mail, each once, but for its sender's. Looks from each @ to both sides, no further than an
 * address goes: one pattern over the whole mail would read a long run of letters again from each of its letters.
 */
export function addressesIn({ text, source, from }: Pick<BounceMail, "text" | "source" | "from">): string[] {
  const mail = `${text}\n${source}`.toLowerCase();
  const sender = from.toLowerCase();
  const found = new Set<string>();
  let at = mail.indexOf("@");
  for (let looks = 0; at !== -1 && looks < LOOKS_MAX && found.size < FOUND_MAX; looks++) {
    const address = addressAround(mail, at);
    if (address !== null && !sender.includes(address)) found.add(address);
    at = mail.indexOf("@", at + 1);
  }
  return [...found];
}

function addressAround(mail: string, at: number): string | null {
  const before = mail.slice(Math.max(0, at - LOCAL_PART_MAX), at);
  const after = mail.slice(at + 1, at + 1 + DOMAIN_MAX);
  const [local] = /[\w.!#$%&'*+/=?^`{|}~-]+$/.exec(before) ?? [];
  const [domain] = /^[\w-]+(?:\.[\w-]+)+/.exec(after) ?? [];
  return local === undefined || domain === undefined ? null : `${local}@${domain}`;
}
