// Links in Markdown: finds them outside code, and computes the place of a repository file in the documentation.

const FENCE = /^(\s*)(```+|~~~+)/;
/** The target of a link or picture: [text](target) and ![text](target). */
const LINK = /(\]\()([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)(\))/g;

/**
 * Rewrites the targets of the links of a page, except those in code.
 * @param {string} text - Markdown
 * @param {(target: string) => string} rewrite - returns the new target
 * @returns {string}
 */
export function rewriteLinks(text, rewrite) {
  return mapProse(text, (line) =>
    line
      .split(/(`+[^`]*`+)/)
      .map((part, index) =>
        index % 2 === 1
          ? part
          : part.replace(LINK, (_, open, target, close) => `${open}${rewrite(target)}${close}`),
      )
      .join(""),
  );
}

/**
 * Changes the lines of a page that are not in a fence.
 * @param {string} text - Markdown
 * @param {(line: string) => string} change - returns the new line
 * @returns {string}
 */
export function mapProse(text, change) {
  let fence;
  return text
    .split("\n")
    .map((line) => {
      const mark = FENCE.exec(line)?.[2];
      if (fence === undefined) {
        if (mark !== undefined) fence = mark;
        return mark === undefined ? change(line) : line;
      }
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return line;
    })
    .join("\n");
}

/** Returns true for a target on another host, or in another scheme. */
export function isExternal(target) {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);
}

/**
 * Returns the identifier that GitHub gives a heading, which links in the repository use.
 * @param {string} heading - text without markup
 * @returns {string}
 */
export function headingId(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}
