/**
 * Source of a look-behind that matches where a word can begin: after any character that is not a
 * letter or digit, and after an escape sequence, whose last letter belongs to the escaped
 * character.
 */
export const ALONE =
  "(?:(?<![A-Za-z0-9])|(?<=\\\\[abefnrtv]|%[0-9A-Fa-f]{2}|\\\\x[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))";
