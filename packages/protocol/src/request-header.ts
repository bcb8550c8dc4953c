/** Selects a stored session for a request. */
export const SESSION_KEY_HEADER = "x-openclaw-session-key";

/** Names the model of a request's turn, `provider/model`. */
export const MODEL_HEADER = "x-openclaw-model";

/** Present where a person at the client can answer questions; a streamed reply then shows them. */
export const APPROVER_HEADER = "x-openclaw-approver";
