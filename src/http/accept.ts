/**
 * Whether a client prefers a page to JSON: its `Accept` header gives `text/html` more weight than
 * `application/json` (RFC 9110, 12.5.1). Programs that accept anything get JSON.
 */
export function prefersHtml(accept: string | null): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? "").split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = quality === undefined ? 1 : Number(quality.slice(2));
    weights.set(type, Number.isNaN(weight) ? 0 : weight);
  }
  return (weights.get("text/html") ?? 0) > (weights.get("application/json") ?? 0);
}
