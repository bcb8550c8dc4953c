import type { TrustedToolPolicy } from "@openclaw/plugin-sdk/approvals";
import type { RegistrationOrigin } from "./origin.js";

/** A policy of a plugin that evaluates tool calls before any ordinary hook. */
export interface PluginTrustedPolicyRegistration extends RegistrationOrigin {
  readonly policy: TrustedToolPolicy;
}
