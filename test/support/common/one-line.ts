const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * True if no character ends a line. By Unicode's wider definition, VT, FF, NEL, U+2028 and U+2029 do so too.
 */
export const isOneLine = (text: string): boolean => !LINE_END.test(text);
