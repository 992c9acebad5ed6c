import type { ConsentOrigin } from "./consent-entry.ts";

const USER_AGENT_MAX = 512;

type Asked = {
  readonly request: { readonly headers: Pick<Headers, "get"> };
  readonly clientAddress: string;
};

/** Who made a request of the API, for the consent log. */
export function originOf({ request, clientAddress }: Asked): ConsentOrigin {
  const userAgent = request.headers.get("user-agent");
  return {
    source: "api",
    formId: null,
    clientAddress: clientAddress || null,
    userAgent: userAgent === null ? null : userAgent.slice(0, USER_AGENT_MAX),
  };
}
