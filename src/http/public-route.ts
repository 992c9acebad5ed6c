/** A route outside `/api/v1`: no key, answers pages, images or JSON of its own. HEAD is answered by its GET. */
export type PublicRoute = {
  readonly method: "GET" | "POST";
  /** Elysia's pattern, from the root: `/u/:token`. */
  readonly path: string;
  handle(call: PublicCall): Promise<Response>;
};

export type PublicCall = {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly clientAddress: string;
};
