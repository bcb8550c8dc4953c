/**
 * Returns true for a request of a browser that opens a page.
 * @param accept - header `Accept`
 */
export function acceptsHtml(accept = ""): boolean {
  return /(?:^|[\s,])text\/html(?![^,]*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(accept);
}
