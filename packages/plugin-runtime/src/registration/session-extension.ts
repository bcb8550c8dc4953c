import type { SessionExtension } from "@openclaw/plugin-sdk/sessions";
import {
  expectName,
  expectObject,
  expectOptionalFunction,
  expectText,
  type NameRule,
} from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A value that a plugin stores with each session. */
export interface PluginSessionExtensionRegistration extends RegistrationOrigin {
  readonly extension: SessionExtension;
}

const NAMESPACE: NameRule = {
  pattern: /^[a-z0-9][a-z0-9_-]{0,63}$/,
  expected: "1 to 64 of a-z 0-9 _ -, a letter or digit first",
};

/**
 * Checks the argument of `api.registerSessionExtension` (PLUG-038).
 * @param extension - its namespace, and the value shown in listings
 * @throws PluginRegistrationError naming the field
 */
export function readSessionExtension(
  origin: RegistrationOrigin,
  extension: SessionExtension,
): PluginSessionExtensionRegistration {
  const call = { origin, member: "registerSessionExtension" };
  expectObject(call, "extension", extension);
  const namespace = expectName(call, "namespace", extension.namespace, NAMESPACE);
  expectText(call, `description of extension "${namespace}"`, extension.description);
  expectOptionalFunction(call, `project of extension "${namespace}"`, extension.project);
  expectOptionalFunction(call, `cleanup of extension "${namespace}"`, extension.cleanup);
  return { ...origin, extension };
}
