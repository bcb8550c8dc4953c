import { homedir } from "node:os";

const ANY_NUMBER = "**";

/**
 * Returns whether a path matches a pattern, in which `*` matches any text without a slash and `**`
 * any text.
 * @param pattern - absolute, or below the home folder with a leading `~/`
 * @param path - absolute path
 */
export function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.replace(/^~(?=\/)/, homedir()).split("/");
  const segments = path.split("/");
  // Numbers of segments that the parts so far can match.
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

/** Returns whether a complete string matches a pattern, in which `*` matches any text. */
function matchesText(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const chunk of rest) {
    const place = text.indexOf(chunk, from);
    if (place === -1 || place + chunk.length > end) return false;
    from = place + chunk.length;
  }
  return true;
}
