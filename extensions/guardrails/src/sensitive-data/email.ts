const LOCAL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}.!#$%&'*+/=?^_`{|}~-]{0,62}[\\p{L}\\p{N}_+-])?";
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?";
const AT = "(?:@| ?[\\[(](?:at|AT|@)[\\])] ?)";
const ADDRESS = new RegExp(
  `(?<![\\p{L}\\p{N}._%+@/-])${LOCAL}${AT}(?:${LABEL}\\.){1,8}\\p{L}{2,24}(?![\\p{L}\\p{N}@_-])`,
  "gu",
);
/** Endings of file names such as `logo@2x.png`. */
const FILE_ENDING = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|ts|json|woff2?)$/i;
/** Path that follows the host of a repository: `git@github.com:acme/billing.git`. */
const REPOSITORY_PATH = /^:[\w~.][\w~./-]*\//;

/** Finds email addresses, also with letters of any script and with `[at]`. */
export function* findEmails(text: string): Generator<readonly [start: number, end: number]> {
  if (!/@|[[(]at[\])]/i.test(text)) return;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const end = index + address.length;
    if (FILE_ENDING.test(address) || REPOSITORY_PATH.test(text.slice(end, end + 120))) continue;
    yield [index, end];
  }
}
