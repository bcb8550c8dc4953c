import type { TrustedToolPolicy } from "@openclaw/plugin-sdk/approvals";
import type { RegistrationOrigin } from "./origin.js";

/** A policy of a plugin that judges tool calls before any ordinary hook. */
export interface PluginTrustedPolicyRegistration extends RegistrationOrigin {
  readonly policy: TrustedToolPolicy;
}
