/** The text with a capital letter at its beginning; the rest stays as it is. */
export const capitalLetter = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
