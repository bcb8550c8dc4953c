import { chainOffsets, type OffsetMap, OffsetTable, SAME_OFFSETS } from "./offset-map.js";
import type { Edit } from "./range.js";

/** A text together with the way back to the text it was made from. */
export interface DerivedText {
  readonly text: string;
  readonly offsets: OffsetMap;
}

/** A text that was made from nothing else. */
export function underived(text: string): DerivedText {
  return { text, offsets: SAME_OFFSETS };
}

/**
 * A further derivation of a derived text, with offsets that lead back to the first source.
 * @param from - what it was made from
 * @param text - what became of it
 * @param offsets - from `text` to `from.text`
 */
function derive(from: DerivedText, text: string, offsets: OffsetMap): DerivedText {
  return { text, offsets: chainOffsets(from.offsets, offsets) };
}

/**
 * Applies edits to a text.
 * @param from - the text; it stays as it is
 * @param edits - ranges of `from.text`, sorted, none overlapping another
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
