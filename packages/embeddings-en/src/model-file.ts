import { readFileSync } from "node:fs";

/** First bytes of a model file. */
const MODEL_FILE_MAGIC = "OCWV2\n";

/** Description of a model at the beginning of its file. */
export interface ModelHeader {
  /** ID with the version, which changes with every change of the vectors. */
  readonly id: string;
  /** Lengths of the parts of each row. The parts come from different sources, and each counts as much as the others. */
  readonly parts: readonly number[];
  /** Number of words, which follow the header in order of frequency, one per line. */
  readonly words: number;
  /** Number of rows for groups of characters, after those of the words. */
  readonly groups: number;
  /** Length of the lines of the words in bytes. */
  readonly wordBytes: number;
}

/** Vectors of words and of groups of characters. */
export interface WordTable {
  readonly header: ModelHeader;
  /** Row of each word. */
  readonly rows: ReadonlyMap<string, number>;
  /** Length of a row. */
  readonly dimensions: number;
  /** Value of 1 in each part of each row, which includes the weight of the word. */
  readonly scales: Float32Array;
  /** Rows of the words, then of the groups. */
  readonly values: Int8Array;
}

/**
 * Reads a model file.
 * @param file - path or URL of the file
 * @throws Error when the file is missing, or is not a complete model file
 */
export function readModelFile(file: string | URL): WordTable {
  const bytes = readFileSync(file);
  const damaged = (problem: string) =>
    new Error(
      `the model file ${String(file)} is damaged: ${problem}; reinstall @openclaw/embeddings-en`,
    );
  const start = MODEL_FILE_MAGIC.length + 4;
  if (bytes.length < start || bytes.toString("latin1", 0, start - 4) !== MODEL_FILE_MAGIC) {
    throw damaged(`it does not begin with ${JSON.stringify(MODEL_FILE_MAGIC)}`);
  }
  const headerEnd = start + bytes.readUInt32LE(start - 4);
  const header = readHeader(bytes.toString("utf8", start, headerEnd));
  if (header === undefined) throw damaged("its header is not readable");
  const rowCount = header.words + header.groups;
  const dimensions = header.parts.reduce((sum, length) => sum + length, 0);
  const scalesAt = aligned(headerEnd + header.wordBytes);
  const valuesAt = scalesAt + rowCount * header.parts.length * Float32Array.BYTES_PER_ELEMENT;
  const length = valuesAt + rowCount * dimensions;
  if (bytes.length !== length) throw damaged(`it has ${bytes.length} bytes instead of ${length}`);
  const words = bytes.toString("utf8", headerEnd, headerEnd + header.wordBytes).split("\n");
  if (words.length !== header.words) throw damaged(`it has ${words.length} words`);
  return {
    header,
    dimensions,
    rows: new Map(words.map((word, row) => [word, row])),
    scales: new Float32Array(
      bytes.buffer.slice(bytes.byteOffset + scalesAt, bytes.byteOffset + valuesAt),
    ),
    values: new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, rowCount * dimensions),
  };
}

/**
 * Returns the contents of a model file.
 * @param header - description without the length of the words
 * @param words - words in order of frequency
 * @param scales - value of 1 in each part of each row
 * @param values - rows of the words, then of the groups
 */
export function modelFile(
  header: Omit<ModelHeader, "words" | "wordBytes">,
  words: readonly string[],
  { scales, values }: Pick<WordTable, "scales" | "values">,
): Buffer {
  const lines = Buffer.from(words.join("\n"));
  const json = Buffer.from(
    JSON.stringify({ ...header, words: words.length, wordBytes: lines.length }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const before = Buffer.concat([Buffer.from(MODEL_FILE_MAGIC), length, json, lines]);
  const padding = Buffer.alloc(aligned(before.length) - before.length);
  return Buffer.concat([
    before,
    padding,
    new Uint8Array(scales.buffer, scales.byteOffset, scales.byteLength),
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  ]);
}

function readHeader(text: string): ModelHeader | undefined {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isHeader(header) ? header : undefined;
}

function isHeader(value: unknown): value is ModelHeader {
  if (typeof value !== "object" || value === null) return false;
  const counts = ["words", "groups", "wordBytes"];
  const parts: unknown = Reflect.get(value, "parts");
  return (
    typeof Reflect.get(value, "id") === "string" &&
    Array.isArray(parts) &&
    parts.every((length) => Number.isInteger(length) && length > 0) &&
    counts.every((name) => Number.isInteger(Reflect.get(value, name)))
  );
}

/** Rounds an offset up to a multiple of four, which numbers in memory need. */
function aligned(offset: number): number {
  return Math.ceil(offset / 4) * 4;
}
