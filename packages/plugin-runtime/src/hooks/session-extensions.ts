import type { CataloguedHookName, HostSessionPort, ToolHookContext } from "@openclaw/plugin-sdk";
import { HOOK_CATALOG } from "../catalog/catalog.js";
import type { PluginInstance } from "../instances/instance.js";
import type { AnyHandler } from "../registration/hook.js";

/** What a handler may write into its context is its own. */
type OwnContext = { -readonly [Field in keyof ToolHookContext]: ToolHookContext[Field] };

/**
 * The same handler, whose context reads the plugin's own session extensions (PLUG-038). Only handlers of
 * tool hooks are changed, and only those of plugins that registered an extension.
 * @param handler - of the plugin
 * @param hook - what it handles
 * @param instance - the plugin
 * @param sessionState - of the host
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
    const own = context as OwnContext;
    const { sessionKey } = own;
    own.getSessionExtension = (namespace) =>
      sessionKey === undefined
        ? undefined
        : sessionState.peek?.(instance.id, sessionKey, namespace);
    return handler(event, context);
  };
}
