import type { ToolMetadata } from "@openclaw/plugin-sdk/tools";
import { expectFunction, expectObject, expectOneOf, expectText, expectTexts } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Metadata that a plugin adds to one of its tools. */
export interface PluginToolMetadataRegistration extends RegistrationOrigin {
  readonly metadata: ToolMetadata;
}

/**
 * Checks the argument of `api.registerToolMetadata`.
 * @param metadata - in addition to the tool's definition
 * @throws PluginRegistrationError naming the field
 */
export function readToolMetadata(
  origin: RegistrationOrigin,
  metadata: ToolMetadata,
): PluginToolMetadataRegistration {
  const call = { origin, member: "registerToolMetadata" };
  expectObject(call, "metadata", metadata);
  const { toolName, displayName, description, risk, tags } = metadata;
  expectText(call, "toolName", toolName);
  if (displayName !== undefined) expectText(call, "displayName", displayName);
  if (description !== undefined) expectText(call, "description", description);
  if (risk !== undefined) expectOneOf(call, "risk", risk, ["low", "medium", "high"]);
  expectTexts(call, "tags", tags);
  if (metadata.modelDescription !== undefined) {
    expectFunction(call, "modelDescription", metadata.modelDescription);
  }
  return { ...origin, metadata };
}
