import { Type } from "typebox";

/** Embedding model of the host (MEM-021). */
export interface EmbeddingsSection {
  /** False switches embeddings off; default true. */
  enabled?: boolean;
  /** Provider of the model; default `local`. */
  provider?: string;
  /** Name of the model at its provider, or `provider/model`; the provider's default model when absent. */
  model?: string;
}

/** Schema of the section `embeddings`. */
export const embeddingsSchema = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ default: true, description: "False switches embeddings off." }),
    ),
    provider: Type.Optional(
      Type.String({
        minLength: 1,
        default: "local",
        description:
          "Provider of the embedding model. The models of `local` need no key, and no text leaves the host.",
      }),
    ),
    model: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "Embedding model at the provider, or `provider/model`; the provider's default model when absent.",
      }),
    ),
  },
  { additionalProperties: false, description: "Model that turns strings into vectors." },
);
