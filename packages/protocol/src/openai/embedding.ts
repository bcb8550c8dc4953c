import { type Static, Type } from "typebox";
import { nullable } from "./schema.js";

/** Maximum number of strings of one request, as with OpenAI. */
const MOST_INPUTS = 2048;

const text = Type.String({ minLength: 1 });

/** Body of `POST /v1/embeddings`. */
export const embeddingRequestSchema = Type.Object({
  input: Type.Union([text, Type.Array(text, { minItems: 1, maxItems: MOST_INPUTS })]),
  model: Type.String(),
  encoding_format: nullable(Type.Enum(["float", "base64"])),
  dimensions: nullable(Type.Integer({ minimum: 1 })),
  user: nullable(Type.String()),
});

/** Body of `POST /v1/embeddings`. */
export type EmbeddingRequest = Static<typeof embeddingRequestSchema>;

/** Response of `POST /v1/embeddings`. */
export interface EmbeddingList {
  object: "list";
  data: {
    object: "embedding";
    index: number;
    /** Numbers, or with `encoding_format: "base64"` their 32-bit floats in little-endian order. */
    embedding: number[] | string;
  }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
}
