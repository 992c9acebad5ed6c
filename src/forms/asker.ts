/** Who asked, for the consent log. */
export type Asker = { readonly clientAddress: string; readonly userAgent: string | null };

/** Enough to distinguish browsers. */
const USER_AGENT_MAX = 512;

export function asker({
  request,
  clientAddress,
}: {
  readonly request: Request;
  readonly clientAddress: string;
}): Asker {
  const userAgent = request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX) ?? null;
  return { clientAddress, userAgent };
}
