/** docs/decisions.md "Many at once": which encoding a file has. */
import { describe, expect, test } from "bun:test";
import { csvRows } from "#imports/csv/csv-rows.ts";
import { ENCODINGS, parseEncoding, type Encoding } from "#imports/csv/encoding.ts";
import { readHead } from "#imports/file-reading.ts";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { encoded } from "../../support/people/encoded.ts";

const fileOf = (names: readonly string[]): string =>
  ["email,name,city", ...names.map((name, n) => `reader-${n}@example.com,${name},Paris`), ""].join("\r\n");

const inPieces = (bytes: Buffer, size: number) =>
  async function* () {
    for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
  };

/** Names as people of these languages have them. */
const WESTERN: readonly (readonly [language: string, ...names: string[]])[] = [
  ["German", "Jürgen Müller", "Käthe Groß", "Björn Schäfer", "Änne Öztürk-Maier"],
  ["French", "François Lefèvre", "Hélène Bérenger", "Maïté Renée", "Loïc Cœur"],
  ["Spanish", "José Muñoz", "Íñigo Núñez", "Ángel Ávila", "¿Qué tal?"],
  ["Portuguese", "João Gonçalves", "Conceição Simões", "Sebastião Falcão"],
  ["Danish", "Søren Kjærgaard", "Åse Jørgensen", "Jens Ærø"],
  ["Icelandic", "Guðrún Þórðardóttir", "Ægir Sæþórsson", "Björk Guðmundsdóttir"],
  ["Catalan", "Gal·la Solà", "Núria Puigdemont"],
  ["English with signs", "O’Brien", "“Bob” Smith", "Ana – Lee", "Acme™ Ltd", "£20 off", "Flat 3½", "5 m³"],
  ["one name", "Zoé"],
  ["a price and no other letter", "GBP£20"],
  ["a unit and no other letter", "2 cm³"],
  ["one sign twice", "§§ 12 BGB"],
  ["one sign many times", "···· Top ····"],
  ["accents for quotes", "´´El Rincon´´"],
];

const OTHERS: readonly (readonly [encoding: Encoding, language: string, ...names: string[]])[] = [
  ["windows-1250", "Polish", "Michał Wałęsa", "Łukasz Żółkiewski", "Grażyna Wiśniewska", "Paweł Święcicki"],
  ["windows-1251", "Russian", "Иван Петров", "Наталья Смирнова", "Юрий Гагарин"],
  ["windows-1251", "Ukrainian", "Ігор Шевченко", "Олексій Ґудзь"],
  ["koi8-r", "Russian", "Иван Петров", "Наталья Смирнова", "Юрий Гагарин"],
  ["windows-1253", "Greek", "Γιώργος Παπαδόπουλος", "Ελένη Μαρία"],
  ["windows-1255", "Hebrew", "דוד כהן", "יעקב מזרחי"],
  ["windows-1256", "Arabic", "محمد علي", "فاطمة حسن", "أحمد يوسف"],
  ["shift_jis", "Japanese", "山田太郎", "佐藤花子"],
  ["euc-kr", "Korean", "김철수", "이영희"],
  ["gb18030", "Chinese", "王小明", "韩梅梅"],
  ["big5", "Chinese", "陳大文", "林志玲"],
];

/** As Windows-1252 they are words that some language might write. */
const UNSEEN: readonly (readonly [encoding: Encoding, language: string, ...names: string[]])[] = [
  ["windows-1250", "Hungarian", "Gergő Szőke", "Zsófia Nagy"],
  ["windows-1254", "Turkish", "Ayşe Yılmaz", "Çağlar Güneş"],
];

const readAs = async (bytes: Buffer, encoding: Encoding | null, size = bytes.length) => {
  const file = inPieces(bytes, size);
  const head = await readHead(file, { ...NO_OPTIONS, encoding });
  if (!head.ok) return head.refusal.message;
  const { format, headerLines } = head.value;
  const rows = await Array.fromAsync(csvRows(file(), format, headerLines));
  return { encoding: format.encoding, names: rows.map((row) => ("cells" in row ? row.cells[1] : null)) };
};

describe("a file whose letters are not UTF-8", () => {
  test.each(WESTERN)("is Windows-1252: %s", async (_language, ...names) => {
    const read = await readAs(encoded("windows-1252", fileOf(names)), null);
    expect(read).toEqual({ encoding: "windows-1252", names });
  });

  test.each(OTHERS)("is not taken for it: %s, %s", async (encoding, _language, ...names) => {
    expect(await readAs(encoded(encoding, fileOf(names)), null)).toBe(
      "`encoding`: the file has one that cannot be recognized. Name it (--encoding), such as windows-1250, or save the file as CSV in UTF-8.",
    );
  });

  test.each([...OTHERS, ...UNSEEN])(
    "is read as it is told: %s, %s",
    async (encoding, _language, ...names) => {
      expect(await readAs(encoded(encoding, fileOf(names)), encoding)).toEqual({ encoding, names });
    },
  );

  test("has no mark of UTF-8 in the name of its first column", async () => {
    const marked = Buffer.concat([
      Buffer.of(0xef, 0xbb, 0xbf),
      encoded("windows-1252", fileOf(["Zoé", "Jürgen"])),
    ]);
    const head = await readHead(inPieces(marked, marked.length), NO_OPTIONS);
    expect(head).toMatchObject({ ok: true, value: { header: ["email", "name", "city"] } });
  });

  test("a single sign behind a letter says nothing of the rest", async () => {
    const names = Array.from({ length: 50 }, () => "Jürgen Müller");
    expect(await readAs(encoded("windows-1252", fileOf([...names, "Michal£"])), null)).toMatchObject({
      encoding: "windows-1252",
    });
  });
});

describe("the name of an encoding", () => {
  test.each([
    ["windows-1250", "windows-1250"],
    ["CP1251", "windows-1251"],
    ["latin1", "windows-1252"],
    ["iso-8859-9", "windows-1254"],
    ["Shift-JIS", "shift_jis"],
    ["sjis", "shift_jis"],
    ["gbk", "gb18030"],
    ["UTF8", "utf-8"],
    [" utf-16 ", "utf-16le"],
  ] as const)("%s is %s", (name, encoding) => {
    expect(parseEncoding(name)).toEqual({ ok: true, value: encoding });
  });

  test.each(["utf-7", "ebcdic", "x-user-defined", "replacement", "iso-2022-jp", "\0"])("not %s", (name) => {
    expect(parseEncoding(name)).toMatchObject({ ok: false, refusal: { code: "VALIDATION_ERROR" } });
  });

  test.each(ENCODINGS)("%s is one that files are read in", async (encoding) => {
    const bytes = encoding.startsWith("utf-16") ? null : encoded(encoding, fileOf(["Ada"]));
    if (bytes !== null) expect(await readAs(bytes, encoding)).toEqual({ encoding, names: ["Ada"] });
    expect(parseEncoding(encoding)).toEqual({ ok: true, value: encoding });
  });
});
