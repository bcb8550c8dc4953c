/** @deprecated The host's default in milliseconds; set `timeoutMs` to use another value. */
export const DEFAULT_PLUGIN_APPROVAL_TIMEOUT_MS = 120_000;

/** @deprecated Maximum approval timeout in milliseconds. */
export const MAX_PLUGIN_APPROVAL_TIMEOUT_MS = 600_000;

/** @deprecated Maximum title length in characters; a longer title is rejected. */
export const PLUGIN_APPROVAL_TITLE_MAX_LENGTH = 80;

/** @deprecated Maximum description length in characters; a longer description is rejected. */
export const PLUGIN_APPROVAL_DESCRIPTION_MAX_LENGTH = 512;
