/** Selects a stored session for a request. */
export const SESSION_KEY_HEADER = "x-openclaw-session-key";

/** Names the model of a request's turn, `provider/model`. */
export const MODEL_HEADER = "x-openclaw-model";
