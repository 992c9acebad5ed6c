/**
 * Paragraphs that are read from the right say so in the letter. Mail programs and our MJML read all others from the
 * left: their full stops, brackets and numbers stand at the wrong end. `dir="auto"` is not known to Outlook.
 */

/** A text whose first letter is from a right-to-left script. */
const FROM_RIGHT =
  /^\P{L}*[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Samaritan}\p{sc=Mandaic}\p{sc=Adlam}\p{sc=Hanifi_Rohingya}]/u;

/** What is no text of the letter: tags, entities, and Liquid, whose words nobody reads. */
const NO_TEXT = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|<[^>]*>|&#?\w+;/g;

/** Whether this text, with or without tags, begins with what is read from the right. */
export const isFromRight = (text: string): boolean => FROM_RIGHT.test(text.replace(NO_TEXT, " "));

const PLAIN_BLOCK = /<(p|h[1-3]|ul|ol|li|blockquote)>/g;
const MARKED_BLOCK = /<(p|h[1-3]|ul|ol|li|blockquote) dir="rtl">/g;

/** Marks each block without attributes that is read from the right. */
export const withDirections = (html: string): string =>
  html.replace(PLAIN_BLOCK, (tag, name: string, at: number) => {
    const from = at + tag.length;
    const end = html.indexOf(`</${name}>`, from);
    return isFromRight(html.slice(from, end === -1 ? html.length : end)) ? `<${name} dir="rtl">` : tag;
  });

/** Takes the marks away. */
export const withoutDirections = (html: string): string => html.replace(MARKED_BLOCK, "<$1>");

/** Whether all its directions are such marks, so that they are there again after they were taken away. */
export const hasOwnDirections = (html: string): boolean =>
  withDirections(html) === withDirections(withoutDirections(html));
