import { brotliDecompress } from "node:zlib";
import { promisify } from "node:util";
import type { Built } from "./manifest.ts";

const decompress = promisify(brotliDecompress);

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/**
 * A file of the console, or null if there is none of this name. The name has a hash of the content, so the file
 * never changes and may be cached without limit. It is stored compressed and read on request. Only a client that
 * accepts neither brotli nor gzip causes work, in its own thread.
 */
export async function assetAnswer(built: Built, name: string, accepts: string): Promise<Response | null> {
  const type = TYPES[name.split(".").at(-1) ?? ""];
  if (type === undefined || !built.manifest.files.includes(name)) return null;
  const headers = {
    "Content-Type": type,
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "same-origin",
    ETag: `"${name}"`,
    Vary: "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
  };
  for (const [encoding, suffix] of ENCODINGS)
    if (takes(accepts, encoding))
      return new Response(Bun.file(built.pathOf(`${name}.${suffix}`)), {
        headers: { ...headers, "Content-Encoding": encoding },
      });
  const compressed = await Bun.file(built.pathOf(`${name}.br`)).bytes();
  return new Response(await decompress(compressed), { headers });
}

const ENCODINGS = [
  ["br", "br"],
  ["gzip", "gz"],
] as const;

/** Whether Accept-Encoding has this name, and not with `q=0` (RFC 9110, 12.5.3). */
function takes(accepts: string, encoding: string): boolean {
  const offered = accepts.split(",").map((part) =>
    part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  );
  return offered.some(([name, weight = "q=1"]) => name === encoding && Number(weight.slice(2)) > 0);
}
