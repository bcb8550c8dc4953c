const NOTICE = /\n?\[Output truncated: \d+ bytes exceeded maximum of (\d+) bytes\]$/;
/** Longer than any notice, so that a text that ends with one can be told by its last characters. */
const NOTICE_REACH = 128;
/** A secret that begins before the cut is looked for up to here behind it (SAFE-004). */
const LOOK_BEHIND_CUT = 1024;

/** Least maximum: room for the notice itself. */
export const LEAST_OUTPUT_LENGTH = 256;

/** How a text that is too long is cut. */
export interface Cut {
  /** The part that is kept. */
  readonly head: string;
  /** The kept part and 1 KiB behind it, to find a secret that crosses the border. */
  readonly reach: string;
  /** The line that tells of the cut (SAFE-003). */
  readonly notice: string;
}

/**
 * Cuts a text at a code point border (SAFE-002); undefined when it is short enough, or was cut to the
 * same maximum before.
 * @param text - any string; lone surrogates count as three bytes, as they are sent
 * @param maximum - most UTF-8 bytes
 */
export function cutToLength(text: string, maximum: number): Cut | undefined {
  if (text.length * 3 <= maximum) return undefined;
  const bytes = Buffer.byteLength(text);
  if (bytes <= maximum || wasCut(text, bytes, maximum)) return undefined;
  const units = unitsWithin(text, maximum);
  return {
    head: text.slice(0, units),
    reach: text.slice(0, units + LOOK_BEHIND_CUT),
    notice: `[Output truncated: ${bytes} bytes exceeded maximum of ${maximum} bytes]`,
  };
}

/** Number of UTF-16 code units at the front that fit into so many UTF-8 bytes. */
function unitsWithin(text: string, bytes: number): number {
  return new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
}

function wasCut(text: string, bytes: number, maximum: number): boolean {
  const [notice, stated] = NOTICE.exec(text.slice(-NOTICE_REACH)) ?? [];
  return notice !== undefined && Number(stated) === maximum && bytes - notice.length <= maximum;
}
