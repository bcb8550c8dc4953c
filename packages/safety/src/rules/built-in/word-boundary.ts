/**
 * Source of a look-behind that holds where a word can begin: behind anything but a letter or digit,
 * and behind an escape sequence, whose last letter belongs to the character it stands for.
 */
export const ALONE =
  "(?:(?<![A-Za-z0-9])|(?<=\\\\[abefnrtv]|%[0-9A-Fa-f]{2}|\\\\x[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}))";
