/** Header that selects a stored session for a request. */
export const SESSION_KEY_HEADER = "x-openclaw-session-key";

/** Header with the model of a request's turn, `provider/model`. */
export const MODEL_HEADER = "x-openclaw-model";

/**
 * Header that is present when the client has an approver; a streamed reply then contains approval requests.
 */
export const APPROVER_HEADER = "x-openclaw-approver";
