const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Whether a text is written unchanged in JSON, and folds to its lower case: ASCII without quotes, backslashes and
 * control characters.
 */
export const isPlainInJson = (text: string): boolean => PLAIN.test(text);
