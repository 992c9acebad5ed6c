/** Images for uploads, of any size in pixels, and uploads of them. */
import { crc32, deflateSync } from "node:zlib";
import type { Answer, TestApi } from "./api.ts";

function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** `more`: chunks before the end, as type and content. */
export function png(width = 3, height = 2, more: readonly [string, Uint8Array][] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(16))),
    ...more.map(([type, content]) => chunk(type, content)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const JPEG_PIXEL =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////" +
  "wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==";

export function jpeg(width = 3, height = 2): Buffer {
  const file = Buffer.from(JPEG_PIXEL, "base64");
  const frame = file.indexOf(Buffer.from([0xff, 0xc2]));
  file.writeUInt16BE(height, frame + 5);
  file.writeUInt16BE(width, frame + 7);
  return file;
}

/** `picture`: where the only picture is on the screen of this size, and how large. */
export function gif(
  width = 3,
  height = 2,
  picture: {
    readonly left?: number;
    readonly top?: number;
    readonly width?: number;
    readonly height?: number;
  } = {},
): Buffer {
  const file = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  file.writeUInt16LE(width, 6);
  file.writeUInt16LE(height, 8);
  file.writeUInt16LE(picture.left ?? 0, 28);
  file.writeUInt16LE(picture.top ?? 0, 30);
  file.writeUInt16LE(picture.width ?? 1, 32);
  file.writeUInt16LE(picture.height ?? 1, 34);
  return file;
}

/** Lossy. */
export function webp(width = 3, height = 2): Buffer {
  const file = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64");
  file.writeUInt16LE(width, 26);
  file.writeUInt16LE(height, 28);
  return file;
}

export function losslessWebp(width = 3, height = 2): Buffer {
  const file = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64");
  file.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  return file;
}

/** With the header that animations and transparent images have. */
export function extendedWebp(width = 3, height = 2): Buffer {
  const header = Buffer.alloc(18);
  header.write("VP8X", 0, "latin1");
  header.writeUInt32LE(10, 4);
  header.writeUIntLE(width - 1, 12, 3);
  header.writeUIntLE(height - 1, 15, 3);
  const file = Buffer.concat([Buffer.from("RIFF0000WEBP"), header, webp(1, 1).subarray(12)]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** POST /media with a file of this name, as a form does it. */
export async function uploadImage(
  api: TestApi,
  file: Uint8Array,
  name = "logo.png",
  key = api.key,
): Promise<Answer> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(file)]), name);
  const response = await fetch(`${api.url}/api/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  const answer = { status: response.status, body: await response.json(), headers: response.headers };
  api.check("POST", "/media", answer);
  return answer;
}
