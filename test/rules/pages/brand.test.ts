import { expect, test } from "bun:test";
import { contrast, EDGE_CONTRAST, inkOn, readable, TEXT_CONTRAST } from "#core/colour.ts";
import { brandStyle } from "#pages/brand.ts";
import { CARD_COLOURS } from "#pages/layout.ts";
import { imageSource } from "#pages/page-headers.ts";

const hex = (value: number): string => `#${value.toString(16).padStart(3, "0").replaceAll(/./g, "$&$&")}`;

test("in any colour text, links and edges can be told from what is behind them, light and dark", () => {
  for (let value = 0; value < 4096; value++) {
    const colour = hex(value);
    const [light = "", dark = ""] = brandStyle(colour).split("@media (prefers-color-scheme: dark)");
    for (const [style, grounds] of [
      [light, CARD_COLOURS.light],
      [dark, CARD_COLOURS.dark],
    ] as const) {
      const of = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(style)![1]!;
      expect(of("act")).toBe(colour);
      expect(contrast(of("act"), of("on-act"))).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      for (const ground of grounds) {
        expect(contrast(of("link"), ground)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        expect(contrast(of("edge"), ground)).toBeGreaterThanOrEqual(EDGE_CONTRAST);
      }
    }
  }
});

test("a colour that can be read already stays as it is, and none gives nothing", () => {
  expect(readable("#0b6e4f", CARD_COLOURS.light, TEXT_CONTRAST)).toBe("#0b6e4f");
  expect(readable("#ffffff", ["#ffffff"], TEXT_CONTRAST)).not.toBe("#ffffff");
  expect(inkOn(readable("#ffffff", ["#ffffff"], TEXT_CONTRAST))).toBe("#ffffff");
  expect(brandStyle("")).toBe("");
});

test("an image's address as a source of the policy has nothing that could end or widen it", () => {
  expect(imageSource("https://a.example/x;script-src *,y.png?q=1#z")).toBe(
    "https://a.example/x%3Bscript-src%20*%2Cy.png",
  );
  expect(imageSource("http://localhost:8080/media/x.png")).toBe("http://localhost:8080/media/x.png");
});
