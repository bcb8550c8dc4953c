import type { RankingOptions } from "./ranking.js";

/** Limits of similarities, which every model distributes differently. */
type Calibration = Pick<RankingOptions, "minimumSimilarity" | "minimumTopicSimilarity">;

/**
 * Limits of the word vectors that are part of OpenClaw, found with the half of the labelled set for tuning. Their vectors
 * are means of words: a name that query and chunk share makes them similar, whatever else they say.
 */
const WORD_VECTORS: Calibration = { minimumSimilarity: 0.54, minimumTopicSimilarity: 0.28 };

/** Limits of models that were not measured. */
const OTHER: Calibration = { minimumSimilarity: 0.5, minimumTopicSimilarity: undefined };

/**
 * Returns the limits of a model.
 * @param model - name of the model of the vectors; undefined without vectors
 */
export function calibrationOf(model: string | undefined): Calibration {
  return model?.startsWith("local/embeddings-en") === true ? WORD_VECTORS : OTHER;
}
