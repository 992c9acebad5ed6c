import { Type, type TObject, type TSchema } from "@sinclair/typebox";
import type { RequestBody } from "./request-body.ts";
import type { Params } from "./route.ts";

/** A route outside `/api/v1`: no key, answers pages, images or JSON of its own. HEAD is answered by its GET. */
export type PublicRoute<Path extends string = string> = {
  readonly method: "GET" | "POST";
  /** Elysia's pattern, from the root: `/u/:token`. */
  readonly path: Path;
  /** How the API's document shows it. Without it: a page for people only. */
  readonly documented?: PublicOperation;
  /** Pages of other sites may call it: those of the origins that this finds; an empty list is any. Its preflight is answered. */
  originsAllowed?(params: Params<Path>): Promise<readonly string[]>;
  handle(call: PublicCall<Path>): Promise<Response>;
};

/** A route whose handler knows the parameters of its path, as `route` in `route.ts` does. */
export const publicRoute = <const Path extends string>(typed: PublicRoute<Path>): PublicRoute => typed;

export type PublicCall<Path extends string = string> = {
  readonly request: Request;
  readonly body: RequestBody;
  readonly params: Params<Path>;
  readonly clientAddress: string;
};

export type PublicOperation = {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly params?: TObject;
  /** Request headers it reads. */
  readonly headers?: TObject;
  /** By media type, all of one shape or not. */
  readonly body?: Readonly<Record<string, TSchema>>;
  readonly answers: Readonly<Record<number, PublicAnswer>>;
};

export type PublicAnswer = {
  readonly description: string;
  /** By media type; without it the answer has no body. */
  readonly content?: Readonly<Record<string, TSchema>>;
  readonly headers?: TObject;
};

/** A page for people, as the document shows it. */
export const htmlPage = (description: string): PublicAnswer => ({
  description,
  content: { "text/html": PAGE },
});

const PAGE = Type.String({ description: "A page for people.", examples: ["<!doctype html>…"] });
