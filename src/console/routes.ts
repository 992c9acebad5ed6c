import { rootOf } from "#core/addresses/base-url.ts";
import { AppError } from "#core/errors/errors.ts";
import type { Random } from "#core/random.ts";
import { publicRoute, type PublicRoute } from "#http/routes/public-route.ts";
import { assetAnswer } from "./assets.ts";
import { builtConsole } from "./built.ts";
import { consolePage, pagePolicy, UNBUILT, type PageFacts } from "./page.ts";

export type ConsoleParts = {
  readonly baseUrl: string;
  readonly version: string;
  readonly hasMailbox: boolean;
  readonly hasBackups: boolean;
  readonly passkeyOrigin: string | null;
  readonly random: Random;
};

/**
 * The console: `GET /` leads to it, and every address under `/console` is its page. The page itself needs no
 * sign-in: the API's routes decide who sees what.
 */
export function consoleRoutes({ baseUrl, random, ...rest }: ConsoleParts): PublicRoute[] {
  const facts: PageFacts = { ...rest, root: rootOf(baseUrl) };
  const page = async (): Promise<Response> => pageAnswer(facts, random);
  return [
    publicRoute({
      method: "GET",
      path: "/",
      handle: async () =>
        new Response(null, {
          status: 302,
          headers: { Location: `${facts.root}/console`, "Cache-Control": "no-store" },
        }),
    }),
    publicRoute({ method: "GET", path: "/console", handle: page }),
    publicRoute({ method: "GET", path: "/console/*", handle: page }),
    publicRoute({
      method: "GET",
      path: "/console/assets/:name",
      async handle({ request, params }) {
        const built = builtConsole();
        const accepts = request.headers.get("accept-encoding") ?? "";
        const answer = built && (await assetAnswer(built, params.name, accepts));
        if (answer === null) throw new AppError("NOT_FOUND", `There is no file ${params.name}.`);
        return answer;
      },
    }),
  ];
}

function pageAnswer(facts: PageFacts, random: Random): Response {
  const built = builtConsole();
  const nonce = random.bytes(16).toBase64();
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": pagePolicy(nonce),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
  };
  if (built === null) return new Response(UNBUILT, { status: 503, headers });
  return new Response(consolePage(built.manifest, facts, nonce), { headers });
}
