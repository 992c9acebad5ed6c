import type { Block, BlockKind, Section } from "./letter.ts";
import { readLetter } from "./read-letter.ts";

/** The words that new blocks begin with, in the person's language. */
export type BlockWords = { readonly text: string; readonly button: string };

/** A new campaign's letter, as MJML; it is valid. */
export const starterLetter = (text: string): string => `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.5" color="#1f2933" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f4f5f7" width="600px">
    <mj-section background-color="#ffffff">
      <mj-column>
        <mj-text>
          <p>${text}</p>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

const BLOCKS: Readonly<Record<BlockKind, (words: BlockWords) => string>> = {
  text: ({ text }) => `<mj-text><p>${text}</p></mj-text>`,
  button: ({ button }) => `<mj-button href="" background-color="#0b7285">${button}</mj-button>`,
  image: () => `<mj-image src="" alt="" />`,
  divider: () => `<mj-divider border-width="1px" border-color="#d9dde3" />`,
  spacer: () => `<mj-spacer height="24px" />`,
  social: () =>
    `<mj-social mode="horizontal"><mj-social-element name="web" href=""></mj-social-element></mj-social>`,
  raw: () => `<mj-raw></mj-raw>`,
};

/** A block to be put into a letter: `insertBlock` gives it its id and its place. */
export function newBlock(kind: BlockKind, words: BlockWords): Block {
  const [block] = sectionFrom([BLOCKS[kind](words)]).columns[0]?.blocks ?? [];
  if (block?.kind !== kind) throw new Error(`the new block "${kind}" is not read as one`);
  return block;
}

/** A section of empty columns. */
export const newSection = (columns: number): Section =>
  sectionFrom(Array.from({ length: columns }, () => ""));

function sectionFrom(columns: readonly string[]): Section {
  const inside = columns.map((blocks) => `\n      <mj-column>${blocks}</mj-column>`).join("");
  const read = readLetter(
    `<mjml><mj-body>\n    <mj-section background-color="#ffffff">${inside}\n    </mj-section></mj-body></mjml>`,
  );
  const section = read.ok ? read.letter.rows[0] : undefined;
  if (section?.kind !== "section") throw new Error("a new section is not read as one");
  return section;
}
