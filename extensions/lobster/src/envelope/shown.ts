import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";

const MOST_ITEMS = 20;
const MOST_BYTES = 8 * 1024;
const MOST_PREVIEW = 4096;

/** Items of a gate as a person sees them. */
export interface ShownItems {
  readonly items: readonly JsonValue[];
  readonly itemCount?: number;
  readonly itemsTruncated?: true;
}

/**
 * Limits the items of a gate to 20 and to 8 KiB of JSON (LOB-010).
 * @param items - all items of the gate
 */
export function shownItems(items: readonly JsonValue[]): ShownItems {
  const shown: JsonValue[] = [];
  let bytes = 2;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (shown.length === MOST_ITEMS || bytes + size > MOST_BYTES) break;
    bytes += size;
    shown.push(item);
  }
  if (shown.length === items.length) return { items: shown };
  return { items: shown, itemCount: items.length, itemsTruncated: true };
}

/**
 * Limits the preview of a gate to 4096 characters.
 * @param preview - text of the engine
 */
export function shownPreview(preview: string): string {
  return preview.length <= MOST_PREVIEW ? preview : `${startOfText(preview, MOST_PREVIEW)}…`;
}
