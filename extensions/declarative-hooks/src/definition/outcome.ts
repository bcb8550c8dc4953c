import { startOfText } from "@openclaw/plugin-sdk/kit";
/**
 * Decision of a hook: nothing, another content or other parameters, or a stop (DHOOK-017); of a hook of a bundle also an
 * approval request.
 */
export type Outcome =
  | ({ readonly action: "continue" } & WithContext)
  | { readonly action: "modify"; readonly content: string }
  | ({ readonly action: "modify"; readonly params: Params } & WithContext)
  | ({ readonly action: "ask"; readonly reason: string; readonly params?: Params } & WithContext)
  | { readonly action: "block"; readonly reason: string };

type Params = Readonly<Record<string, unknown>>;

/** Text for the model, which only hooks of bundles add. */
interface WithContext {
  readonly context?: string;
}

/** The event continues unchanged. */
export const CONTINUE: Outcome = { action: "continue" };

/** Reason of a stop that gives none. */
export const NO_REASON = "stopped by a hook of the operator";

/** Longest reason, in UTF-16 code units. */
const LONGEST_REASON = 500;

/**
 * Creates a stop.
 * @param reason - reason as given; an empty one is replaced
 */
export function block(reason: string): Outcome {
  const shown = startOfText(reason.trim(), LONGEST_REASON);
  return { action: "block", reason: shown === "" ? NO_REASON : shown };
}
