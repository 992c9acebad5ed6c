import type { SpelledName } from "#core/text/spelled-name.ts";
import type { ConsentField, ImportField, PlainField } from "./field.ts";

/**
 * Headers that people write themselves, in the languages of the product: the words of a spreadsheet or of an
 * address book. As `wordOf` writes them.
 */
const USUAL: Readonly<
  Record<Exclude<PlainField, "name" | "tagsByComma" | Exclude<ConsentField, "consentAt">>, string>
> = {
  // Google's address book has `E-mail 1 - Value`.
  email: `email emailaddress mail mailaddress email1value
    emailadresse mailadresse
    courriel adresseemail adressemail adressecourriel adresseelectronique
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico direcciondeemail
    indirizzoemail indirizzomail indirizzodiposta indirizzodipostaelettronica postaelettronica
    enderecodeemail enderecoemail enderecoeletronico correioeletronico
    emailadres mailadres
    adresemail adresmail adrespocztyelektronicznej pocztaelektroniczna`,
  firstName: `firstname givenname
    vorname rufname
    prenom
    nombredepila primernombre
    nomedibattesimo
    primeironome nomeproprio
    voornaam roepnaam
    imie`,
  lastName: `lastname surname familyname
    nachname familienname zuname
    nomdefamille
    apellido apellidos primerapellido
    cognome
    sobrenome apelido ultimonome
    achternaam familienaam
    nazwisko`,
  tags: "tags schlagworte schlagworter etiquettes etiquetas etichette tagi etykiety",
  status: "status",
  consentAt: "consentat",
};

const FULL_NAME = new Set(
  `name fullname
    vollername vollstandigername vorundnachname vorundzuname
    nomcomplet nometprenom prenometnom
    nombrecompleto nombreyapellido nombreyapellidos
    nomecompleto nomeecognome nomeesobrenome nomeeapelido
    volledigenaam voorenachternaam
    imieinazwisko pelneimieinazwisko
    nom naam nombre nome`.split(/\s+/),
);

/** Words that mean a full name alone, but one half of it if the file has a column for the other half. */
const HALVES: readonly { readonly word: string; readonly beside: RegExp; readonly is: PlainField }[] = [
  { word: "name", beside: /^(?:vorname|rufname)$/, is: "lastName" },
  { word: "nom", beside: /^prenom$/, is: "lastName" },
  { word: "naam", beside: /^(?:voornaam|roepnaam)$/, is: "lastName" },
  { word: "nombre", beside: /^(?:apellidos?|primerapellido)$/, is: "firstName" },
  { word: "nome", beside: /^(?:cognome|sobrenome|apelido|ultimonome)$/, is: "firstName" },
];

/** The address has this name where no column is called email: MailerLite writes so. */
const ADDRESS_ALONE = "subscriber";

const FIELDS: ReadonlyMap<string, PlainField> = new Map(
  Object.entries(USUAL).flatMap(([field, words]) =>
    words.split(/\s+/).map((word) => [word, field as PlainField] as const),
  ),
);

/** Without case, accents, blanks and hyphens: `E-Mail-Adresse` is `emailadresse`. */
const wordOf = ({ bare }: SpelledName): string =>
  bare
    .toLowerCase()
    .replaceAll("ł", "l")
    .replaceAll(/[\s_.:'’-]/g, "");

/** What the columns of a file usually hold, by their headers; undefined if that is not known. */
export function usualFields(
  headers: readonly SpelledName[],
): (header: SpelledName) => ImportField | undefined {
  const words = headers.map(wordOf);
  const hasAddress = words.some((word) => FIELDS.get(word) === "email");
  const halves = HALVES.filter(({ beside }) => words.some((word) => beside.test(word)));
  return (header) => {
    const word = wordOf(header);
    const kind =
      halves.find((half) => half.word === word)?.is ??
      FIELDS.get(word) ??
      (word === ADDRESS_ALONE && !hasAddress ? "email" : undefined) ??
      (FULL_NAME.has(word) ? "name" : undefined);
    return kind && { kind };
  };
}
