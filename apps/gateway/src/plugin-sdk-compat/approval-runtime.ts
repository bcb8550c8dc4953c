/** @deprecated The host's default, in milliseconds; say `timeoutMs` where another is needed. */
export const DEFAULT_PLUGIN_APPROVAL_TIMEOUT_MS = 120_000;

/** @deprecated The longest an approval may wait, in milliseconds. */
export const MAX_PLUGIN_APPROVAL_TIMEOUT_MS = 600_000;

/** @deprecated In characters; a longer title is refused. */
export const PLUGIN_APPROVAL_TITLE_MAX_LENGTH = 80;

/** @deprecated In characters; a longer description is refused. */
export const PLUGIN_APPROVAL_DESCRIPTION_MAX_LENGTH = 512;
