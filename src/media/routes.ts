import { Type } from "@sinclair/typebox";
import { dataOf, pageOf, pageQuery } from "#http/envelope.ts";
import { created, noContent, route, type Route } from "#http/routes/route.ts";
import type { Media } from "./media.ts";
import { mediaSchema, mediaWire } from "./schema.ts";
import type { MediaService } from "./service.ts";

/** /media (docs/contract.md "Media"). @param baseUrl where the public pages are, without a trailing slash */
export function mediaRoutes(media: MediaService, baseUrl: string): Route[] {
  const wire = (one: Media) => mediaWire(one, baseUrl);
  return [
    route({
      method: "GET",
      path: "/media",
      summary: "List media",
      description: "Newest first.",
      query: Type.Object(pageQuery),
      answers: { 200: pageOf(mediaSchema) },
      handle: async (call) => call.page(await media.page(call.workspaceId, call.pageRequest()), wire),
    }),
    route({
      method: "POST",
      path: "/media",
      summary: "Upload an image",
      description:
        "A PNG, JPEG, GIF or WebP by its content, at most 5 MiB. The same bytes twice are one file: the answer is the one " +
        "that is there. Letters show it by its `url`.",
      upload: {
        $id: "MediaUpload",
        description: "The file.",
        file: { name: "logo.png", type: "image/png", text: null },
      },
      answers: { 201: dataOf(mediaSchema) },
      handle: async (call) => {
        const upload = media.receive(call.workspaceId);
        const { fileName } = await call.upload(upload.write);
        return created(wire(await upload.keep(fileName)));
      },
    }),
    route({
      method: "DELETE",
      path: "/media/:id",
      summary: "Delete media",
      description:
        "Letters that show it show a gap from then on. The same file uploaded again has the same `url`.",
      answers: { 204: null },
      handle: async (call) => {
        await media.delete(call.workspaceId, call.params.id);
        return noContent();
      },
    }),
  ];
}
