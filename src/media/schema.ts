import { Type } from "@sinclair/typebox";
import { isoOf } from "#core/time/iso.ts";
import { exact, oneOf, timestamp } from "#http/envelope.ts";
import type { PublicOperation } from "#http/routes/public-route.ts";
import { IMAGE_TYPES } from "./image.ts";
import { fileNameOf, type Media } from "./media.ts";

/** The wire shapes of media (docs/contract.md "Media"). */

const FILE_NAME = "3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJ.png";

export const mediaSchema = Type.Object(
  {
    id: Type.String({ description: "Opaque.", examples: ["med_01kafbzr1e6k3n8yd5w7pq2cmh"] }),
    name: Type.String({ description: "As the file was called.", examples: ["logo.png"] }),
    type: oneOf("MediaType", IMAGE_TYPES, "What its content is, whatever its name says."),
    bytes: Type.Integer({ minimum: 1, description: "Its size.", examples: [18_432] }),
    width: Type.Integer({ minimum: 1, description: "In pixels.", examples: [600] }),
    height: Type.Integer({ minimum: 1, description: "In pixels.", examples: [200] }),
    url: Type.String({
      format: "uri",
      description: "Where everybody can load it. It never shows anything else.",
      examples: [`https://mail.example.org/media/${FILE_NAME}`],
    }),
    createdAt: timestamp("When it was uploaded."),
  },
  { ...exact, $id: "Media", description: "An image that letters show." },
);

export const mediaWire = (media: Media, baseUrl: string) => {
  const { id, name, type, bytes, width, height, createdAt } = media;
  const url = `${baseUrl}/media/${fileNameOf(media)}`;
  return { id, name, type, bytes, width, height, url, createdAt: isoOf(createdAt) };
};

const image = Type.String({ description: "The image.", examples: ["(bytes)"] });
const header = (description: string, example: string) =>
  Type.Optional(Type.String({ description, examples: [example] }));
const missing = (says: string) => ({
  description: says,
  content: { "text/plain": Type.String({ description: "A sentence.", examples: [says] }) },
});
const ETAG = `"${FILE_NAME.slice(0, 32)}"`;
const answerHeaders = Type.Object({
  "Cache-Control": header("It may be kept for good.", "public, max-age=31536000, immutable"),
  ETag: header("What the file is.", ETAG),
});
const images = Object.fromEntries(IMAGE_TYPES.map((type) => [type, image]));

/** The sign of a social network. */
export const socialSignOperation: PublicOperation = {
  operationId: "getSocialSign",
  tag: "media",
  summary: "Load the sign of a social network",
  description:
    "What a letter in MJML shows for an `mj-social-element` without `src`: so nobody else learns who opens it. White on " +
    "nothing, 80 by 80 pixels.",
  params: Type.Object({
    name: Type.String({ description: "The network's name and `.png`.", examples: ["github.png"] }),
  }),
  answers: {
    200: {
      description: "The image.",
      content: { "image/png": image },
      headers: Type.Object({
        "Cache-Control": header("It may be kept for good.", "public, max-age=31536000, immutable"),
      }),
    },
    404: missing("There is no such file."),
  },
};

export const mediaFileOperation: PublicOperation = {
  operationId: "getMediaFile",
  tag: "media",
  summary: "Load an image",
  description: "The `url` of media. What was deleted is not there any more.",
  params: Type.Object({
    name: Type.String({ description: "The last part of `url`.", examples: [FILE_NAME] }),
  }),
  headers: Type.Object({
    "If-None-Match": header("The `ETag` of the file that the client has.", ETAG),
    Range: header("A part of the file.", "bytes=0-1023"),
  }),
  answers: {
    200: { description: "The file.", content: images, headers: answerHeaders },
    206: { description: "The part that `Range` asks for.", content: images, headers: answerHeaders },
    304: { description: "The client has it.", headers: answerHeaders },
    404: missing("There is no such file."),
    416: { description: "The file has no such part." },
  },
};
