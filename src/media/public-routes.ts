import { byteRangeOf, hasAlready, isRangeWanted } from "#http/byte-range.ts";
import { publicRoute, type PublicRoute } from "#http/routes/public-route.ts";
import { tokenOf } from "./media.ts";
import { mediaFileOperation, socialSignOperation } from "./schema.ts";
import type { MediaService } from "./service.ts";
import { signFile } from "./social-signs.ts";

/** The images of letters, as readers' programs load them (docs/contract.md "Media"). They need no key. */
export const mediaFileRoutes = (media: MediaService): PublicRoute[] => [
  publicRoute({
    method: "GET",
    path: "/media/:name",
    documented: mediaFileOperation,
    async handle({ params, request: { headers } }) {
      const token = tokenOf(params.name);
      const found = token === null ? null : await media.findPublic(token);
      if (found === null) return missing();
      const { type, createdAt } = found;
      const etag = `"${found.token}"`;
      const shared = {
        ...HARMLESS,
        "Cache-Control": FOR_GOOD,
        ETag: etag,
        "Last-Modified": new Date(createdAt).toUTCString(),
        "Accept-Ranges": "bytes",
      };
      if (hasAlready(headers, etag, createdAt)) return new Response(null, { status: 304, headers: shared });
      const content = await media.content(found);
      if (content === null) return missing();
      const { size } = content;
      const range = isRangeWanted(headers, etag, createdAt) ? byteRangeOf(headers.get("range"), size) : null;
      if (range === "unsatisfiable")
        return new Response(null, {
          status: 416,
          headers: { ...HARMLESS, "Content-Range": `bytes */${size}` },
        });
      const { start, end } = range ?? { start: 0, end: size };
      return new Response(content.slice(start, end, type), {
        status: range === null ? 200 : 206,
        headers: {
          ...shared,
          "Content-Type": type,
          ...(range === null ? {} : { "Content-Range": `bytes ${start}-${end - 1}/${size}` }),
        },
      });
    },
  }),
  publicRoute({
    method: "GET",
    path: "/media/social/:name",
    documented: socialSignOperation,
    async handle({ params }) {
      const file = signFile(params.name);
      if (file === null) return missing();
      const headers = { ...HARMLESS, "Cache-Control": FOR_GOOD, "Content-Type": "image/png" };
      return new Response(file, { headers });
    },
  }),
];

const FOR_GOOD = "public, max-age=31536000, immutable";

/**
 * Browsers never treat the file as a page, whatever else its bytes could mean, and it runs nothing when
 * opened as a document. Pages of any site may show it.
 */
const HARMLESS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const missing = (): Response =>
  new Response("There is no such file.\n", {
    status: 404,
    headers: { ...HARMLESS, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
