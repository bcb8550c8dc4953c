const ANY_NUMBER = "**";

/**
 * Whether the words of a command fit a pattern, which is patterns for single words with spaces between: in
 * each `*` stands for any text; a pattern `**` stands for any number of words (APPR-037).
 * @param pattern - for example `run test:* **`
 * @param words - behind the program; one that is computed at run time fits nothing but `**`
 */
export function matchesArguments(pattern: string, words: readonly (string | undefined)[]): boolean {
  const parts = pattern.split(" ").filter((part) => part !== "");
  // Which numbers of words the parts so far can have taken.
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const count of reached) {
      if (part === ANY_NUMBER) {
        for (let more = count; more <= words.length; more += 1) next.add(more);
      } else {
        const word = words[count];
        if (word !== undefined && matchesText(part, word)) next.add(count + 1);
      }
    }
    reached = next;
  }
  return reached.has(words.length);
}

/**
 * Whether a text fits a pattern in which `*` stands for any text.
 * @param pattern - anything else in it stands for itself
 * @param text - all of it has to fit
 */
function matchesText(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const piece of rest) {
    const place = text.indexOf(piece, from);
    if (place === -1 || place + piece.length > end) return false;
    from = place + piece.length;
  }
  return true;
}

/**
 * Whether a path fits a pattern in which `*` stands for any text without a slash and `**` for any text.
 * @param pattern - absolute
 * @param path - absolute
 */
export function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const segments = path.split("/");
  let reached = new Set([0]);
  for (const part of wanted) {
    const next = new Set<number>();
    for (const count of reached) {
      if (part === ANY_NUMBER) {
        for (let more = count; more <= segments.length; more += 1) next.add(more);
      } else {
        const segment = segments[count];
        if (segment !== undefined && matchesText(part, segment)) next.add(count + 1);
      }
    }
    reached = next;
  }
  return reached.has(segments.length);
}
