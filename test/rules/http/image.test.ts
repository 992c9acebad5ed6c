import { describe, expect, test } from "bun:test";
import { readImage } from "#media/image.ts";
import { dice } from "../../support/common/dice.ts";
import { extendedWebp, gif, jpeg, losslessWebp, png, webp } from "../../support/server/images.ts";

const KINDS = [
  ["a PNG", png, "image/png"],
  ["a JPEG", jpeg, "image/jpeg"],
  ["a GIF", gif, "image/gif"],
  ["a lossy WebP", webp, "image/webp"],
  ["a lossless WebP", losslessWebp, "image/webp"],
  ["an extended WebP", extendedWebp, "image/webp"],
] as const;

const refusalOf = (file: Uint8Array): string => {
  const read = readImage(Buffer.from(file));
  return read.ok ? "taken" : read.refusal.message;
};

describe.each(KINDS)("%s", (_name, made, type) => {
  test("is known by its content, with its size", () => {
    for (const [width, height] of [
      [1, 1],
      [600, 200],
      [200, 9_000],
      [16_383, 3_000],
    ] as const) {
      const file = made(width, height);
      const facts = { type, bytes: file.length, width, height };
      expect(readImage(file)).toEqual({ ok: true, value: facts });
    }
  });

  test("that was cut off anywhere is refused", () => {
    const file = made();
    for (let length = 0; length < file.length; length++)
      expect([length, refusalOf(file.subarray(0, length))]).toEqual([
        length,
        expect.not.stringMatching("taken"),
      ]);
  });

  test("never makes trouble, whatever a byte of it is turned into", () => {
    const file = made();
    for (let at = 0; at < file.length; at++)
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const odd = Buffer.from(file);
        odd[at] = byte;
        const read = readImage(odd);
        if (read.ok) expect(read.value.bytes).toBeLessThanOrEqual(odd.length);
      }
  });

  test("may not be larger than programs can show", () => {
    expect(refusalOf(made(16_000, 16_000))).toContain("pixels");
  });
});

test("an image without pixels is refused", () => {
  for (const file of [png(0, 1), png(1, 0), jpeg(0, 5), jpeg(5, 0), gif(0, 0, { width: 0 }), webp(0, 3)])
    expect(refusalOf(file)).toBe("The image has no pixels. Save it again and send that.");
  for (const [width, height] of [
    [0xffffffff, 0xffffffff],
    [16_385, 1],
    [1, 16_385],
    [16_384, 3_052],
  ])
    expect(refusalOf(png(width, height))).toContain("pixels");
});

describe("a GIF is as large as its screen and the pictures on it", () => {
  test("a picture may not be larger than programs can show, however small the screen is", () => {
    for (const picture of [{ width: 65_535, height: 65_535 }, { left: 65_535 }, { top: 16_384 }])
      expect(refusalOf(gif(1, 1, picture))).toContain("pixels");
  });

  test("old programs write no screen, or one that is too small: browsers show the picture", () => {
    expect(readImage(gif(0, 0, { width: 40, height: 30 }))).toMatchObject({
      value: { width: 40, height: 30 },
    });
    expect(readImage(gif(600, 20, { top: 30 }))).toMatchObject({ value: { width: 600, height: 31 } });
  });
});

describe("what is something else as well", () => {
  const script = Buffer.from("<script>alert(1)</script>PK\x03\x04");

  test("is refused where it stands behind the image", () => {
    for (const file of [png(), webp(), losslessWebp(), extendedWebp()])
      expect(refusalOf(Buffer.concat([file, script]))).toMatch(/behind the image|not whole/);
  });

  test("is left out behind a JPEG or a GIF: cameras and old programs put things there", () => {
    for (const file of [jpeg(), gif()])
      for (const more of [script, file, Buffer.alloc(1_000)])
        expect(readImage(Buffer.concat([file, more]))).toMatchObject({ value: { bytes: file.length } });
  });

  test("and pretends to be an image is refused", () => {
    for (const text of [
      "GIF89a/*" + "x".repeat(100) + "*/=1;alert(1)//;",
      "GIF89a",
      "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
      "<?xml version='1.0'?><svg/>",
      "BM" + "\0".repeat(60),
      "%PDF-1.7",
      "RIFF\x04\0\0\0WAVE",
      "RIFF\x04\0\0\0WEBP",
      "RIFF\xff\xff\xff\xffWEBPVP8 ",
      "\x89PNG\r\n\x1a\n",
      "\xff\xd8\xff",
      "\xff\xd8\xff\xd9",
      "",
    ])
      expect([text.slice(0, 12), refusalOf(Buffer.from(text, "latin1"))]).toEqual([
        text.slice(0, 12),
        expect.stringMatching(/no PNG|damaged/),
      ]);
  });
});

test("a PNG whose chunks were changed, swapped or doubled is refused", () => {
  const file = png(3, 2, [["tEXt", Buffer.from("Comment\0hello")]]);
  expect(readImage(file).ok).toBe(true);
  const text = file.indexOf("hello");
  const changed = Buffer.from(file);
  changed[text] = 0x48;
  expect(refusalOf(changed)).toContain("damaged");
  const header = file.subarray(8, 33);
  const doubled = Buffer.concat([file.subarray(0, 33), header, file.subarray(33)]);
  expect(refusalOf(doubled)).toContain("damaged");
  const without = Buffer.concat([file.subarray(0, 8), file.subarray(33)]);
  expect(refusalOf(without)).toContain("damaged");
});

test("a file of many thousand empty parts is refused", () => {
  const empty = Array.from({ length: 30_000 }, () => ["teSt", Buffer.alloc(0)] as [string, Buffer]);
  expect(refusalOf(png(3, 2, empty))).toContain("damaged");
  expect(refusalOf(png(3, 2, empty.slice(0, 1_000)))).toBe("taken");
  const file = jpeg();
  const segments = Buffer.alloc(4 * 30_000).fill(Buffer.from([0xff, 0xe0, 0, 2]));
  expect(refusalOf(Buffer.concat([file.subarray(0, 2), segments, file.subarray(2)]))).toContain("damaged");
  const frames = (count: number): Buffer => {
    const longer = Buffer.concat([extendedWebp(), Buffer.alloc(8 * count, "ANMF\0\0\0\0", "latin1")]);
    longer.writeUInt32LE(longer.length - 8, 4);
    return longer;
  };
  expect(refusalOf(frames(30_000))).toContain("damaged");
  expect(refusalOf(frames(1_000))).toBe("taken");
});

test("noise behind a true beginning never makes trouble", () => {
  const chance = dice(7);
  for (const [, made] of KINDS)
    for (let round = 0; round < 200; round++) {
      const file = made();
      const from = chance.roll(file.length);
      const odd = Buffer.from(file);
      for (let at = from; at < odd.length; at++) odd[at] = chance.roll(256);
      const read = readImage(odd);
      if (read.ok) expect(read.value.bytes).toBeLessThanOrEqual(odd.length);
    }
});
