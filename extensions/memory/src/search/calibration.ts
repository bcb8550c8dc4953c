/** Limits of similarities, which every model distributes differently. */
export interface Calibration {
  /** Minimum similarity of a hit without enough of the words; of a query with names see `minimumNamedSimilarity`. */
  readonly minimumSimilarity: number;
  readonly minimumNamedSimilarity: number;
  /** Limits for a query without names; undefined where the limits of hits are enough. */
  readonly answer: AnswerLimits | undefined;
  /** Limits for a query with names; undefined where names are words like others. */
  readonly topic: TopicLimits | undefined;
}

/** Similarities from which a search has an answer at all. */
export interface AnswerLimits {
  /** Similarity of the best candidate that is enough. */
  readonly certain: number;
  /** Otherwise similarity of the best candidate, plus its distance from the candidates behind the first five. */
  readonly outstanding: number;
  /** Similarity of candidates that a small memory does not have. */
  readonly background: number;
}

/** Similarities apart from the names in a query. */
export interface TopicLimits {
  /** Similarity of the best candidate with the names, from which a search has an answer at all. */
  readonly answer: number;
  /** Minimum similarity of each hit. */
  readonly hit: number;
}

/**
 * Limits of the word vectors that are part of OpenClaw, found with the half of the labelled set for tuning. Their vectors
 * are means of words: a name that query and chunk share makes them similar, whatever else they say.
 */
const WORD_VECTORS: Calibration = {
  minimumSimilarity: 0.5,
  minimumNamedSimilarity: 0,
  answer: { certain: 0.62, outstanding: 0.68, background: 0.4 },
  topic: { answer: 0.28, hit: 0.1 },
};

/** Limits of models that were not measured. */
const OTHER: Calibration = {
  minimumSimilarity: 0.5,
  minimumNamedSimilarity: 0.5,
  answer: undefined,
  topic: undefined,
};

/**
 * Returns the limits of a model.
 * @param model - name of the model of the vectors; undefined without vectors
 */
export function calibrationOf(model: string | undefined): Calibration {
  return model?.startsWith("local/embeddings-en") === true ? WORD_VECTORS : OTHER;
}
