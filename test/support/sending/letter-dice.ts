import type { Dice } from "../common/dice.ts";
import { naughtyStrings } from "../common/corpora.ts";

/** Random MJML as people and other editors write it: known and unknown, tidy and not. */

const HOSTILE = [
  ...naughtyStrings(),
  '{{ contact.firstName | default: "friend" }}',
  "{% if contact.tags contains 'vip' and contact.attributes.age < 3 %}a & b{% endif %}",
  "</mj-text>",
  "</mj-column></mj-section>",
  "<!-- ",
  "]]>",
  "a\r\nb\tc",
  "🐎 été \u{202e}olleh",
];

export const hostile = (dice: Dice): string => dice.pick(HOSTILE);

const GAPS = ["", "\n", "\n    ", "\r\n\t", "  \n\n"];
const attributeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const contentText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function attributes(dice: Dice, names: readonly string[]): string {
  const chosen = names.filter(() => dice.roll(2) === 0);
  const forms = [
    (name: string) => ` ${name}="${attributeText(hostile(dice))}"`,
    (name: string) => `\n  ${name} = '${attributeText(hostile(dice)).replaceAll("'", "&apos;")}'`,
    (name: string) => ` ${name}=plain`,
    (name: string) => ` ${name}`,
  ];
  return chosen.map((name) => dice.pick(forms)(name)).join("");
}

const html = (dice: Dice): string =>
  dice.pick([
    () => contentText(hostile(dice)),
    () => `<p>${contentText(hostile(dice))}</p>\n<p>b<br>c<br/></p>`,
    () => `<a href="https://example.com/?a=1&amp;b={{ contact.email }}">x</a>`,
    () => `<p>not closed<!-- a comment --> {% if a > 3 %}{{ b }}{% endif %}`,
    () => "",
  ])();

function block(dice: Dice): string {
  const common = ["align", "css-class", "data-x", "padding"];
  return dice.pick([
    () => `<mj-text${attributes(dice, common)}>${html(dice)}</mj-text >`,
    () => `<mj-button${attributes(dice, ["href", ...common])}>${contentText(hostile(dice))}</mj-button>`,
    () => `<mj-image${attributes(dice, ["src", "alt", "width"])} />`,
    () => `<mj-image${attributes(dice, ["src", "alt"])}>\n</mj-image>`,
    () => `<mj-divider${attributes(dice, common)}/>`,
    () => `<mj-spacer height="20px"></mj-spacer>`,
    () => `<mj-raw><table><tr><td>${html(dice)}</td></tr></table></mj-raw>`,
    () => `<mj-social${attributes(dice, common)}>${many(dice, 3, socialLink)}</mj-social>`,
    // What the editor does not know.
    () => `<mj-table${attributes(dice, common)}><tr><td>a</td></tr></mj-table>`,
    () => `<mj-carousel><mj-carousel-image src="a.png" /></mj-carousel>`,
    () => `<acme-thing>${contentText(hostile(dice))}</acme-thing>`,
    () => `<!-- ${hostile(dice).replaceAll("-", "").replaceAll(">", "")} -->`,
    () => `{% if contact.firstName %}`,
    () => `<mj-image src="a.png">stray words</mj-image>`,
  ])();
}

const socialLink = (dice: Dice): string =>
  dice.pick([
    `<mj-social-element name="github" href="https://example.com/a?b=1&amp;c=2">Code</mj-social-element>`,
    `<mj-social-element name='web' />`,
    `<!-- no link -->`,
  ]);

const column = (dice: Dice): string =>
  dice.roll(8) === 0
    ? `<mj-column />`
    : `<mj-column${attributes(dice, ["width", "padding"])}>${many(dice, 4, block)}</mj-column>`;

const row = (dice: Dice): string =>
  dice.pick([
    () =>
      `<mj-section${attributes(dice, ["background-color", "padding"])}>${many(dice, 3, column)}</mj-section>`,
    () => `<mj-section>${many(dice, 6, column)}</mj-section>`,
    () => `<mj-section><mj-group>${column(dice)}</mj-group></mj-section>`,
    () => `<mj-wrapper><mj-section>${column(dice)}</mj-section></mj-wrapper>`,
    () => `<mj-hero><mj-text>hero</mj-text></mj-hero>`,
    () => `<mj-raw>{% for one in list %}</mj-raw>`,
    () => `<!-- between -->`,
  ])();

const many = (dice: Dice, most: number, make: (dice: Dice) => string): string =>
  Array.from({ length: dice.roll(most + 1) }, () => dice.pick(GAPS) + make(dice)).join("") + dice.pick(GAPS);

export const randomLetter = (dice: Dice): string =>
  dice.pick(["", "<?xml version='1.0'?>\n", "<!-- made by hand -->\n", "\u{feff}"]) +
  `<mjml${attributes(dice, ["lang", "dir"])}>${dice.pick(GAPS)}<mj-head><mj-title>${contentText(hostile(dice))}</mj-title>` +
  `<mj-style>.a > .b { color: red }</mj-style></mj-head>${dice.pick(GAPS)}` +
  `<mj-body${attributes(dice, ["width", "background-color"])}>${many(dice, 5, row)}</mj-body>${dice.pick(GAPS)}</mjml>` +
  dice.pick(["", "\n", "\n<!-- end -->"]);
