import { quoted } from "#core/text/text.ts";
import { trimAsBrowsersDo } from "#mail/html/address-blanks.ts";
import { mergeTagsIn } from "#mail/liquid/merge-tags.ts";
import { UNKNOWN, withEllipses } from "#mail/liquid/without-liquid.ts";

const IN_THE_LETTER =
  "An image stands in the letter itself (`data:`): Gmail and Outlook show an empty frame. Upload it, and write the address that it has then.";

/**
 * What is wrong with the address of an image; null if nothing is. Editors write the images of a letter into a
 * folder beside it, and mail programs have no such folder. An address that begins with a value, or that holds
 * another service's merge tag, is not judged.
 */
export function imageProblem(source: string): string | null {
  const address = trimAsBrowsersDo(source);
  if (/^data:/i.test(address)) return IN_THE_LETTER;
  if (address === "" || address.startsWith(UNKNOWN) || /^https?:/i.test(address)) return null;
  if (mergeTagsIn(address).length > 0) return null;
  return `Mail programs cannot load the image ${quoted(withEllipses(address))}: readers see an empty frame. Upload it, and write the address that it has then, with https://.`;
}
