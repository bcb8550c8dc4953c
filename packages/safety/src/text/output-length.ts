const NOTICE = /\n?\[Output truncated: \d+ bytes exceeded maximum of (\d+) bytes\]$/;
/**
 * Longer than any notice, so that a text that ends with one can be recognised by its last
 * characters.
 */
const NOTICE_REACH = 128;
/** Distance after the cut up to which the end of a secret is searched for (SAFE-004). */
const LOOK_BEHIND_CUT = 1024;

/** Minimum value of the maximum length: room for the notice itself. */
export const LEAST_OUTPUT_LENGTH = 256;

/** Parts of a text that is too long. */
export interface Cut {
  /** Part that is kept. */
  readonly head: string;
  /** Kept part and 1 KiB after it, to find a secret that crosses the cut. */
  readonly reach: string;
  /** Line that reports the cut (SAFE-003). */
  readonly notice: string;
}

/**
 * Cuts a text between code points (SAFE-002); returns undefined when it is short enough, or was cut
 * to the same maximum before.
 * @param text - any string; unpaired surrogates count as three bytes, as they are sent
 * @param maximum - maximum number of UTF-8 bytes
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

/** Returns the number of leading UTF-16 code units that fit into so many UTF-8 bytes. */
function unitsWithin(text: string, bytes: number): number {
  return new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
}

function wasCut(text: string, bytes: number, maximum: number): boolean {
  const [notice, stated] = NOTICE.exec(text.slice(-NOTICE_REACH)) ?? [];
  return notice !== undefined && Number(stated) === maximum && bytes - notice.length <= maximum;
}
