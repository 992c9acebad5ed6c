import { Type, type TObject, type TSchema } from "@sinclair/typebox";
import type { RequestBody } from "#http/body/request-body.ts";
import type { Params } from "./route.ts";

/**
 * A route outside `/api/v1`: without a key; it answers pages, images or JSON of its own. A HEAD request is
 * answered by its GET.
 */
export type PublicRoute<Path extends string = string> = {
  readonly method: "GET" | "POST";
  /** Elysia's pattern, from the root: `/u/:token`. */
  readonly path: Path;
  /** How the API's document shows it. Without this it is a page for people only. */
  readonly documented?: PublicOperation;
  /**
   * Pages of other sites may call this route: the pages of the origins that this function finds; an empty
   * list allows any origin. Preflights are answered.
   */
  originsAllowed?(params: Params<Path>): Promise<readonly string[]>;
  /** The answer if the route fails (5xx), in place of the one that all pages give. */
  readonly trouble?: TroubleAnswer;
  handle(call: PublicCall<Path>): Promise<Response>;
};

/** The answer for a person whose request fails with this status (5xx). Null: the API's own answer. */
export type TroubleAnswer = (request: Request, status: number) => Response | null;

/** A route whose handler knows the types of its path parameters, like `route` in `route.ts`. */
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
  /** Request headers that it reads. */
  readonly headers?: TObject;
  /** The body by media type; the shapes may differ. */
  readonly body?: Readonly<Record<string, TSchema>>;
  readonly answers: Readonly<Record<number, PublicAnswer>>;
};

export type PublicAnswer = {
  readonly description: string;
  /** The content by media type. Without it the answer has no body. */
  readonly content?: Readonly<Record<string, TSchema>>;
  readonly headers?: TObject;
};

/** A page for people, as the API's document shows it. */
export const htmlPage = (description: string): PublicAnswer => ({
  description,
  content: { "text/html": PAGE },
});

const PAGE = Type.String({ description: "A page for people.", examples: ["<!doctype html>…"] });
