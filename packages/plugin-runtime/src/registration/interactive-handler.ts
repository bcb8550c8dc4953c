import type { InteractiveHandler } from "@openclaw/plugin-sdk/channel-core";
import { expectFunction, expectObject, expectText } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A handler of buttons and menus that a plugin sent to a channel. */
export interface PluginInteractiveRegistration extends RegistrationOrigin {
  readonly handler: InteractiveHandler;
}

/**
 * Checks the argument of `api.registerInteractiveHandler`.
 * @param handler - for one channel and namespace
 * @throws PluginRegistrationError naming the field
 */
export function readInteractiveHandler(
  origin: RegistrationOrigin,
  handler: InteractiveHandler,
): PluginInteractiveRegistration {
  const call = { origin, member: "registerInteractiveHandler" };
  expectObject(call, "handler", handler);
  expectText(call, "channel", handler.channel);
  expectText(call, "namespace", handler.namespace);
  expectFunction(call, "handler", handler.handler);
  return { ...origin, handler };
}
