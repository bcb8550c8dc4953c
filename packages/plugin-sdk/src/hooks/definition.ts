import type { CheckedHandler, HookAnswers } from "./handler.js";
import type { HookName } from "./map.js";
import type { HookOptions } from "./options.js";

/** A handler together with the hook it is for and its options; `api.registerHook` takes it whole. */
export interface DefinedHook<Name extends HookName, Answer extends HookAnswers[Name]> {
  readonly name: Name;
  readonly handler: CheckedHandler<Name, Answer>;
  readonly options?: HookOptions<Name>;
}

/**
 * Types a handler apart from the plugin that registers it.
 * @param name - a catalogued hook
 * @param handler - called with the event and its own context
 * @param options - order, deadline, failure mode, scope
 * @returns an object for `api.registerHook`
 * @example
 * ```ts
 * import { defineHook } from "@openclaw/plugin-sdk/hooks";
 *
 * export const noSecrets = defineHook("message_sending", ({ content }) => {
 *   if (content.includes("BEGIN PRIVATE KEY")) return { cancel: true };
 * });
 * ```
 */
export function defineHook<Name extends HookName, Answer extends HookAnswers[Name]>(
  name: Name,
  handler: CheckedHandler<Name, Answer>,
  options?: HookOptions<Name>,
): DefinedHook<Name, Answer> {
  return { name, handler, ...(options === undefined ? {} : { options }) };
}
