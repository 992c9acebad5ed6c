/** A compiled letter loads nothing from others but what its author wrote into it. */
import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { signFile } from "#media/social-signs.ts";

const HOME = "https://mail.example.org";
const page = (content: string, head = ""): string =>
  `<mjml>${head}<mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`;
const social = (elements: string): string => page(`<mj-social>${elements}</mj-social>`);
const compiled = async (source: string): Promise<string> => unwrap(await compileMjml(source, HOME));

/** What a reader's program loads: images, stylesheets, what a style imports. */
const loadedBy = (html: string): string[] => [
  ...[...html.matchAll(/(?:src|srcset|background)="([^"]+)"/g)].map(([, url = ""]) => url),
  ...[...html.matchAll(/<link[^>]*href="([^"]+)"/g)].map(([, url = ""]) => url),
  ...[...html.matchAll(/@import url\(([^)]+)\)|url\('?(http[^)']+)/g)].map(([, a, b]) => a ?? b ?? ""),
];

const NETWORKS = [
  "dribbble",
  "facebook",
  "github",
  "google",
  "instagram",
  "linkedin",
  "medium",
  "pinterest",
  "snapchat",
  "soundcloud",
  "tumblr",
  "twitter",
  "vimeo",
  "web",
  "x",
  "xing",
  "youtube",
];

describe("a letter in MJML", () => {
  test.each([
    ["no font named", page("<mj-text>Hello</mj-text>")],
    ["a font of MJML's own", page('<mj-text font-family="Roboto, Lato, Open Sans">Hello</mj-text>')],
    ["every block", page("<mj-image /><mj-button>Go</mj-button><mj-divider /><mj-spacer /><mj-table />")],
  ])("loads nothing from anybody: %s", async (_, source) => {
    expect(loadedBy(await compiled(source))).toEqual([]);
  });

  test.each(NETWORKS)("shows our sign of %s, shared or only linked", async (name) => {
    const element = (as: string) =>
      `<mj-social-element name="${as}" href="https://example.com/">a</mj-social-element>`;
    const html = await compiled(social(element(name) + element(`${name}-noshare`)));
    const sign = `${HOME}/media/social/${name}.png`;
    expect(loadedBy(html)).toEqual([sign, sign]);
    expect(await signFile(`${name}.png`)?.exists()).toBe(true);
  });

  test("keeps what its author wrote: pictures, fonts and signs of their own", async () => {
    const theirs = "https://www.mailjet.com/images/theme/v1/icons/ico-social/github.png";
    const own = "https://pictures.example/github.png";
    const written = (src: string) =>
      social(`<mj-social-element name="github" src="${src}">a</mj-social-element>`);
    expect(loadedBy(await compiled(written(own)))).toEqual([own]);
    expect(loadedBy(await compiled(written(theirs)))).toEqual([theirs]);
    const font = "https://fonts.example/inter.css";
    const head = `<mj-head><mj-font name="Inter" href="${font}" /></mj-head>`;
    const html = await compiled(page('<mj-text font-family="Inter">Hello</mj-text>', head));
    expect([...new Set(loadedBy(html))]).toEqual([font]);
    // The font of one letter is not in the next one.
    expect(loadedBy(await compiled(page('<mj-text font-family="Inter">Hello</mj-text>')))).toEqual([]);
  });
});
