const HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/:?#]\S*)?$/i;
const MAIL = /^[^\s@/:{}]+@(?:[a-z0-9-]+\.)+[a-z]{2,}$/i;

/**
 * A link's address as mail programs need it. People type `www.example.com` or `ada@example.com`, as into a browser,
 * which leads nowhere from a mail. Everything else stays as it was typed.
 */
export function wholeAddress(typed: string): string {
  const text = typed.trim();
  if (HOST.test(text)) return `https://${text}`;
  return MAIL.test(text) ? `mailto:${text}` : text;
}
