import { chainOffsets, type OffsetMap, OffsetTable, SAME_OFFSETS } from "./offset-map.js";
import type { Edit } from "./range.js";

/** Text with offsets into the text it was derived from. */
export interface DerivedText {
  readonly text: string;
  readonly offsets: OffsetMap;
}

/** Returns a text as its own source. */
export function underived(text: string): DerivedText {
  return { text, offsets: SAME_OFFSETS };
}

/**
 * Returns a further derivation of a derived text, with offsets into the first source.
 * @param from - text it is derived from
 * @param text - new text
 * @param offsets - offsets from `text` to `from.text`
 */
function derive(from: DerivedText, text: string, offsets: OffsetMap): DerivedText {
  return { text, offsets: chainOffsets(from.offsets, offsets) };
}

/**
 * Applies edits to a text.
 * @param from - text, which is not modified
 * @param edits - ranges of `from.text`, sorted and without overlaps
 */
export function applyEdits(from: DerivedText, edits: readonly Edit[]): DerivedText {
  if (edits.length === 0) return from;
  const offsets = new OffsetTable();
  const parts: string[] = [];
  let position = 0;
  for (const { range, replacement } of edits) {
    const [start, end] = range;
    parts.push(from.text.slice(position, start), replacement);
    offsets.copy(start - position);
    offsets.replace(replacement.length, end - start);
    position = end;
  }
  parts.push(from.text.slice(position));
  offsets.copy(from.text.length - position);
  return derive(from, parts.join(""), offsets);
}
