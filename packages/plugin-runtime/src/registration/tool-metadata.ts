import type { ToolMetadata } from "@openclaw/plugin-sdk/tools";
import { expectObject, expectText } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Metadata that a plugin adds to one of its tools. */
export interface PluginToolMetadataRegistration extends RegistrationOrigin {
  readonly metadata: ToolMetadata;
}

/**
 * Checks the argument of `api.registerToolMetadata`.
 * @param origin - the plugin
 * @param metadata - in addition to the tool's definition
 * @throws PluginRegistrationError naming the field
 */
export function readToolMetadata(
  origin: RegistrationOrigin,
  metadata: ToolMetadata,
): PluginToolMetadataRegistration {
  const call = { origin, member: "registerToolMetadata" };
  expectObject(call, "metadata", metadata);
  expectText(call, "toolName", metadata.toolName);
  return { ...origin, metadata };
}
