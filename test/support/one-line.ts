const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * True where no character ends a line, by Unicode's wider reading (VT, FF, NEL, U+2028 and U+2029 end one
 * too).
 */
export const isOneLine = (text: string): boolean => !LINE_END.test(text);
