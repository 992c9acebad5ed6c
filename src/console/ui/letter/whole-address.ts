const DOMAIN = String.raw`(?:[\p{L}\p{M}\p{N}-]+\.)+(?:[\p{L}\p{M}]{2,}|xn--[a-z0-9-]+)`;
/** What follows the colon is a port: apps are opened by `com.example.shop:` too. */
const HOST = new RegExp(String.raw`^${DOMAIN}(?::\d+)?(?:[/?#].*)?$`, "iu");
const MAIL = new RegExp(String.raw`^[^\s@/:?#%{}]+@${DOMAIN}(?:\?.*)?$`, "iu");

/**
 * A link's address as mail programs need it. People type `www.example.com` or `ada@example.com`, as into a browser,
 * which leads nowhere from a mail. Everything else stays as it was typed.
 */
export function wholeAddress(typed: string): string {
  const text = typed.trim();
  if (HOST.test(text)) return `https://${text}`;
  return MAIL.test(text) ? `mailto:${text}` : text;
}
