import type { Embedder } from "../../src/embeddings/embedder.js";

/** Options of {@link lexicalEmbedder}. */
interface LexicalOptions {
  readonly model?: string;
  readonly dimensions?: number;
}

/**
 * An embedder without a model: hashes of the words and their parts. Strings with equal words have similar vectors.
 * @param options - name and dimension
 */
export function lexicalEmbedder({
  model = "lexical-test",
  dimensions = 128,
}: LexicalOptions = {}): Embedder & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    model: async () => model,
    async embed(texts) {
      sent.push(...texts);
      return { model, dimensions, vectors: texts.map((text) => vectorOf(text, dimensions)) };
    },
  };
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    for (const part of partsOf(word)) {
      const hash = hashOf(part);
      const place = hash % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function partsOf(word: string): string[] {
  const parts = [word];
  const padded = `<${word}>`;
  for (let start = 0; start + 3 <= padded.length; start += 1)
    parts.push(padded.slice(start, start + 3));
  return parts;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
