/**
 * What an uploaded file is, by its content. Each format is walked from its first byte to its end. So a file is
 * refused that was cut off, or has something else behind the image, such as an archive or a page.
 * We do not use a library: those for sizes (image-size 2, probe-image-size 7) read the beginning alone.
 */
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { walkGif } from "./formats/gif.ts";
import { walkJpeg } from "./formats/jpeg.ts";
import { walkPng } from "./formats/png.ts";
import type { Walked } from "./formats/walked.ts";
import { walkWebp } from "./formats/webp.ts";

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

export type ImageFacts = {
  readonly type: (typeof IMAGE_TYPES)[number];
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
};

/** A few kilobytes can describe any number of pixels, and mail programs reserve memory for all of them. */
const SIDE_MAX = 16_384;
const PIXELS_MAX = 50_000_000;

type Format = {
  readonly type: ImageFacts["type"];
  begins(file: Buffer): boolean;
  walk(file: Buffer): Walked;
  /**
   * Cameras append more pictures and films to a JPEG, old programs leave bytes after a GIF. These are left
   * out.
   */
  readonly mayHaveMore: boolean;
};

const starts = (file: Buffer, text: string, at = 0): boolean =>
  file.toString("latin1", at, at + text.length) === text;

const FORMATS: readonly Format[] = [
  {
    type: "image/png",
    begins: (file) => starts(file, "\x89PNG\r\n\x1a\n"),
    walk: walkPng,
    mayHaveMore: false,
  },
  { type: "image/jpeg", begins: (file) => starts(file, "\xff\xd8\xff"), walk: walkJpeg, mayHaveMore: true },
  {
    type: "image/gif",
    begins: (file) => starts(file, "GIF87a") || starts(file, "GIF89a"),
    walk: walkGif,
    mayHaveMore: true,
  },
  {
    type: "image/webp",
    begins: (file) => starts(file, "RIFF") && starts(file, "WEBP", 8),
    walk: walkWebp,
    mayHaveMore: false,
  },
];

/** The image's type and size; `bytes` is how much of the file it is. */
export function readImage(file: Buffer): Result<ImageFacts> {
  const format = FORMATS.find(({ begins }) => begins(file));
  if (format === undefined)
    return invalid("The file is no PNG, JPEG, GIF or WebP. Send it in one of these formats.");
  const walked = format.walk(file);
  if (walked === null) return invalid("The image is damaged or not whole. Save it again and send that.");
  const { width, height, end } = walked;
  if (end < file.length && !format.mayHaveMore)
    return invalid(`There are ${file.length - end} bytes behind the image. Save it again and send that.`);
  if (width < 1 || height < 1) return invalid("The image has no pixels. Save it again and send that.");
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
    return invalid(
      `The image has ${width} × ${height} pixels: at most ${SIDE_MAX} a side and ${PIXELS_MAX} in all. Scale it down.`,
    );
  return accept({ type: format.type, bytes: end, width, height });
}
