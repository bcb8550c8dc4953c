import type { CataloguedHookName, ToolHookContext } from "@openclaw/plugin-sdk/hooks";
import type { HostSessionPort } from "@openclaw/plugin-sdk/services";
import { HOOK_CATALOG } from "../catalog/catalog.js";
import type { PluginInstance } from "../instances/instance.js";
import type { AnyHandler } from "../registration/hook.js";

/**
 * Returns the same handler with a context that reads the plugin's own session extensions
 * (PLUG-038). Changes only handlers of tool hooks of plugins that registered an extension.
 * @param handler - a handler of the plugin
 */
export function withSessionExtensions(
  handler: AnyHandler,
  hook: CataloguedHookName,
  instance: PluginInstance | undefined,
  sessionState: HostSessionPort["sessionState"],
): AnyHandler {
  if (sessionState?.peek === undefined || instance === undefined) return handler;
  if (HOOK_CATALOG[hook].contextGroup !== "tool") return handler;
  if (instance.registered("sessionExtensions").length === 0) return handler;
  return (event, context) => {
    const { sessionKey } = context as ToolHookContext;
    const getSessionExtension: ToolHookContext["getSessionExtension"] = (namespace) =>
      sessionKey === undefined
        ? undefined
        : sessionState.peek?.(instance.id, sessionKey, namespace);
    // Not enumerable, because a function cannot be cloned or written as JSON (HOOK-037).
    Object.defineProperty(context, "getSessionExtension", { value: getSessionExtension });
    return handler(event, context);
  };
}
