import { readStringParam } from "../param-readers.js";

export {
  /** @deprecated Import it from `openclaw/plugin-sdk/tool-results`. */
  jsonResult,
} from "@openclaw/plugin-sdk/tool-results";
export {
  createActionGate,
  readNumberParam,
  readStringArrayParam,
  readStringParam,
} from "../param-readers.js";

/**
 * Returns the message that a reaction is for: the one that is named, else the one that the turn answers.
 * @param action - parameters, and the message of the turn
 * @deprecated Implement `react` of `Channel`.
 */
export function resolveReactionMessageId(action: {
  readonly args: Record<string, unknown>;
  readonly toolContext?: { readonly currentMessageId?: string | number };
}): string | number | undefined {
  return readStringParam(action.args, "messageId") ?? action.toolContext?.currentMessageId;
}
