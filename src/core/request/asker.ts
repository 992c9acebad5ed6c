/** Who asked for something, for the consent log. */
export type Asker = { readonly clientAddress: string; readonly userAgent: string | null };

/** A request with the address it came from. */
export type Asked = {
  readonly request: { readonly headers: Pick<Headers, "get"> };
  readonly clientAddress: string;
};

/** Enough to distinguish browsers and mail programs. */
const USER_AGENT_MAX = 512;

export const askerOf = ({ request, clientAddress }: Asked): Asker => ({
  clientAddress,
  userAgent: request.headers.get("user-agent")?.slice(0, USER_AGENT_MAX) ?? null,
});
