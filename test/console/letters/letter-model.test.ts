import { describe, expect, test } from "bun:test";
import { setAttribute, setContent, changePiece } from "#console/ui/letter/edit-letter.ts";
import { columnsOf, type Block, type Letter, type Row } from "#console/ui/letter/letter.ts";
import { newBlock, newSection, starterLetter } from "#console/ui/letter/new-blocks.ts";
import { pieceAt } from "#console/ui/letter/piece-at.ts";
import {
  duplicatePiece,
  insertBlock,
  insertRow,
  movePiece,
  placeOf,
  removePiece,
  setColumnCount,
  stepPiece,
} from "#console/ui/letter/place.ts";
import { readLetter } from "#console/ui/letter/read-letter.ts";
import { attributeOf } from "#console/ui/letter/tag.ts";
import { writeBlock, writeLetter, writeRow } from "#console/ui/letter/write-letter.ts";
import { mjmlHtml } from "#mail/html/mjml/mjml.ts";
import { dice, killSeed, type Dice } from "../../support/common/dice.ts";
import { hostile, randomLetter } from "../../support/sending/letter-dice.ts";

const seed = killSeed();
const LETTERS = 400;

function read(source: string): Letter {
  const result = readLetter(source);
  if (!result.ok) throw new Error(`${result.reason}: ${source}`);
  return result.letter;
}

const blocksOf = (letter: Letter): readonly (Block | Row)[] => [
  ...letter.rows,
  ...columnsOf(letter).flatMap(({ blocks }) => blocks),
];
const bytesOf = (piece: Block | Row): string =>
  (piece.kind === "section" ? writeRow(piece) : writeBlock(piece)).trim();

/** The letter without its ids: what it says. */
const shape = (letter: Letter) =>
  JSON.stringify({ ...letter, nextId: 0 }, (key, value: unknown) => (key === "id" ? 0 : value));

function eachLetter(run: (letter: Letter, chance: Dice, source: string) => void): void {
  const chance = dice(seed);
  for (let made = 0; made < LETTERS; made++) {
    const source = randomLetter(chance);
    const letter = readLetter(source);
    if (letter.ok) run(letter.letter, chance, source);
  }
}

describe(`a letter as blocks (KILL_SEED=${seed})`, () => {
  test("most random letters can be read, and an untouched one comes back byte for byte", () => {
    let count = 0;
    eachLetter((letter, _, source) => {
      count++;
      expect(writeLetter(letter)).toBe(source);
    });
    expect(count).toBeGreaterThan(LETTERS / 2);
  });

  test("a place in the source leads to the piece that holds it, and in the head to none", () => {
    const lineOf = (source: string, offset: number) => {
      const lines = source.slice(0, offset).split("\n");
      return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    };
    let count = 0;
    eachLetter((letter, _, source) => {
      expect(pieceAt(letter, source, { line: 1, column: 1 })).toBeNull();
      for (const piece of blocksOf(letter)) {
        const bytes = bytesOf(piece);
        const start = source.indexOf(bytes);
        // Two that say the same cannot be told apart by what they say.
        if (source.indexOf(bytes, start + 1) !== -1) continue;
        expect(pieceAt(letter, source, lineOf(source, start))).toBe(piece);
        count++;
      }
    });
    expect(count).toBeGreaterThan(LETTERS / 2);
  });

  test("setting an attribute changes this tag alone, and is read back as it was meant", () => {
    eachLetter((letter, chance) => {
      const piece = chance.pick([...blocksOf(letter).filter(({ kind }) => kind !== "locked"), null]);
      if (piece === null || piece.kind === "locked") return;
      const value = hostile(chance);
      const next = setAttribute(letter, piece.id, "css-class", value);
      const again = read(writeLetter(next));
      expect(shape(again)).toBe(shape(next));
      const changed = blocksOf(next).find(({ id }) => id === piece.id);
      if (changed === undefined || changed.kind === "locked") throw new Error("gone");
      const open = writeLetter(letter).indexOf(piece.tag.written);
      expect(open).toBeGreaterThan(0);
      for (const { name, raw } of piece.tag.attributes)
        if (name !== "css-class")
          expect(changed.tag.attributes).toContainEqual(expect.objectContaining({ name, raw }));
      // Everything but the tag: the same bytes.
      const back = changePiece(next, piece.id, (one) => ({ ...one, tag: piece.tag }));
      expect(writeLetter(back)).toBe(writeLetter(letter));
    });
  });

  test("content is written as it is, or refused where it would end its block: nothing else changes", () => {
    eachLetter((letter, chance) => {
      const blocks = blocksOf(letter).filter((block) => block.kind === "text" || block.kind === "raw");
      const block = chance.pick([...blocks, null]);
      if (block === null || !("content" in block)) return;
      const content = hostile(chance);
      const next = setContent(letter, block.id, content);
      if (next === null) return;
      const again = read(writeLetter(next));
      expect(shape(again)).toBe(shape(next));
      const back = changePiece(next, block.id, (one) =>
        "content" in one ? { ...one, content: block.content } : one,
      );
      expect(writeLetter(back)).toBe(writeLetter(letter));
    });
  });

  test("moving, copying and removing leave every other block's bytes as they are", () => {
    eachLetter((letter, chance) => {
      const piece = chance.pick([...blocksOf(letter), null]);
      if (piece === null) return;
      const kept = blocksOf(letter).filter(
        (one) => one.kind !== "section" && one.id !== piece.id && !isIn(piece, one.id),
      );
      const next = chance.pick([
        () => removePiece(letter, piece.id),
        () => stepPiece(letter, piece.id, chance.pick([-1, 1])),
        () => duplicatePiece(letter, piece.id)?.letter ?? letter,
        () => movePiece(letter, piece.id, randomPlace(letter, chance, piece.id)),
      ])();
      const after = new Map(blocksOf(next).map((one) => [one.id, bytesOf(one)]));
      for (const one of kept) expect(after.get(one.id)).toBe(bytesOf(one));
      expect(new Set(blocksOf(next).map(({ id }) => id)).size).toBe(blocksOf(next).length);
      const again = read(writeLetter(next));
      expect(elementsOf(again).map(bytesOf)).toEqual(elementsOf(next).map(bytesOf));
    });
  });

  test("a new block goes where it was put, and taking it out gives the old bytes back", () => {
    eachLetter((letter, chance) => {
      const column = chance.pick([...columnsOf(letter), null]);
      if (column === null || column.blocks.length === 0) return;
      const kind = chance.pick(["text", "button", "image", "divider", "spacer", "social", "raw"] as const);
      const index = chance.roll(column.blocks.length + 1);
      const block = newBlock(kind, { text: "Hello", button: "Go" });
      const added = insertBlock(letter, { columnId: column.id, index }, block);
      expect(placeOf(added.letter, added.id)).toEqual({ columnId: column.id, index });
      expect(shape(read(writeLetter(added.letter)))).toBe(shape(added.letter));
      expect(writeLetter(removePiece(added.letter, added.id))).toBe(writeLetter(letter));
    });
  });
});

/** Without stray words: two that come to stand side by side are read as one. */
const elementsOf = (letter: Letter) =>
  blocksOf(letter).filter((one) => one.kind !== "section" && !(one.kind === "locked" && one.name === "text"));

const isIn = (piece: Block | Row, id: number): boolean =>
  piece.kind === "section" && piece.columns.some(({ blocks }) => blocks.some((block) => block.id === id));

function randomPlace(letter: Letter, chance: Dice, id: number) {
  if (placeOf(letter, id)?.columnId === null)
    return { columnId: null, index: chance.roll(letter.rows.length + 1) };
  const column = chance.pick(columnsOf(letter));
  return { columnId: column.id, index: chance.roll(column.blocks.length + 1) };
}

describe("the letter's compiler", () => {
  test("takes what the editor makes: the first letter, every block, sections of one to four columns", async () => {
    const words = { text: "Hello", button: "Go" };
    let letter = read(starterLetter(words.text));
    for (let columns = 1; columns <= 4; columns++) {
      const added = insertRow(letter, letter.rows.length, newSection(columns));
      letter = added.letter;
      for (const kind of ["text", "button", "image", "divider", "spacer", "social", "raw"] as const) {
        const column = columnsOf(letter).at(-1);
        if (!column) throw new Error("no column");
        letter = insertBlock(letter, { columnId: column.id, index: 0 }, newBlock(kind, words)).letter;
      }
    }
    expect(letter.rows).toHaveLength(5);
    const made = await mjmlHtml(writeLetter(letter));
    expect(made).toMatchObject({ ok: true });
  });
});

const TWO = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column width="30%">
        <mj-text>one</mj-text>
      </mj-column>
      <mj-column width="70%">
        <mj-text>two</mj-text>
        <acme-clock />
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

describe("columns", () => {
  const unsized = <T>(column: T): T => column;

  test("one that goes leaves what stood in it at the end of the last that stays, also what is locked", () => {
    const letter = read(TWO);
    const next = setColumnCount(letter, letter.rows[0]?.id ?? 0, 1, unsized);
    const again = read(writeLetter(next));
    expect(columnsOf(again).map(({ blocks }) => blocks.map((block) => bytesOf(block)))).toEqual([
      ["<mj-text>one</mj-text>", "<mj-text>two</mj-text>", "<acme-clock />"],
    ]);
  });

  test("new ones come last and are empty", () => {
    const letter = read(TWO);
    const next = setColumnCount(letter, letter.rows[0]?.id ?? 0, 4, unsized);
    expect(columnsOf(read(writeLetter(next))).map(({ blocks }) => blocks.length)).toEqual([1, 2, 0, 0]);
  });

  test("a step over the edge of a column goes on into the one beside it", () => {
    const letter = read(TWO);
    const one = columnsOf(letter)[0]?.blocks[0];
    const next = stepPiece(letter, one?.id ?? 0, 1);
    expect(columnsOf(next).map(({ blocks }) => blocks.map(bytesOf))).toEqual([
      [],
      ["<mj-text>one</mj-text>", "<mj-text>two</mj-text>", "<acme-clock />"],
    ]);
    expect(writeLetter(stepPiece(letter, one?.id ?? 0, -1))).toBe(TWO);
  });
});

describe("what cannot be read", () => {
  test.each([
    ["a tag that is not closed", "<mjml><mj-body><mj-section></mj-body></mjml>", "unclosed"],
    ["a text that is not closed", "<mjml><mj-body><mj-text>a</mj-body></mjml>", "unclosed"],
    ["a comment that is not closed", "<mjml><mj-body><!-- a</mj-body></mjml>", "unclosed"],
    ["no MJML", "<p>Hello</p>", "no-body"],
    ["no body", "<mjml><mj-head></mj-head></mjml>", "no-body"],
    ["two bodies", "<mjml><mj-body></mj-body><mj-body></mj-body></mjml>", "no-body"],
    ["nothing", "", "no-body"],
  ])("%s says so", (_, source, reason) => {
    expect(readLetter(source)).toEqual({ ok: false, reason: reason as "unclosed" | "no-body" });
  });
});

describe("content that would end its block", () => {
  test.each([
    "</mj-text>",
    "a</mj-column>",
    "</mj-section><mj-section>",
    "</mjml>",
    "<!-- ",
    "<script>",
    "<mj-text>",
    "<p title='",
  ])("is refused: %s", (content) => {
    const letter = read(TWO);
    expect(setContent(letter, columnsOf(letter)[0]?.blocks[0]?.id ?? 0, content)).toBeNull();
  });

  test.each([
    "<p>",
    "</p>",
    "<!-- a -->",
    "a < b > c",
    "<mj-text>a</mj-text>",
    "</div>",
    "<script></script>",
  ])("what only looks like it is not: %s", (content) => {
    const letter = read(TWO);
    const next = setContent(letter, columnsOf(letter)[0]?.blocks[0]?.id ?? 0, content);
    expect(next && writeLetter(next)).toBe(TWO.replace(">one<", `>${content}<`));
  });
});

describe("attributes", () => {
  test("Liquid in one stays Liquid: its strings get single quotes, as mjml's are double", async () => {
    const letter = read(TWO);
    const [section] = letter.rows;
    const button = newBlock("button", { text: "", button: "Go" });
    if (section?.kind !== "section") throw new Error("no section");
    const column = section.columns[0]?.id ?? 0;
    const added = insertBlock(letter, { columnId: column, index: 0 }, button);
    const href = `https://example.com/?a=1&b={{ contact.firstName | default: "x" }}`;
    const source = writeLetter(setAttribute(added.letter, added.id, "href", href));
    const made = await mjmlHtml(source.replace("<acme-clock />", ""));
    expect(made.ok && made.html).toContain(
      `https://example.com/?a=1&amp;b={{ contact.firstName | default: 'x' }}`,
    );
  });

  test("an unchanged value keeps the tag's bytes, null takes it off", () => {
    const letter = read(TWO);
    const column = columnsOf(letter)[0];
    expect(setAttribute(letter, column?.id ?? 0, "width", "30%")).toBe(letter);
    const without = setAttribute(letter, column?.id ?? 0, "width", null);
    expect(writeLetter(without)).toBe(TWO.replace(` width="30%"`, ""));
    expect(attributeOf(columnsOf(without)[0]!.tag, "width")).toBeNull();
  });
});
