import type { CliRegistrar, CliRegistrationOptions } from "@openclaw/plugin-sdk/plugin-entry";
import { expectFunction, expectTexts } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Commands that a plugin adds to the CLI. */
export interface PluginCliRegistration extends RegistrationOrigin {
  readonly registrar: CliRegistrar;
  /** Names of the commands; empty when the plugin did not list them. */
  readonly commands: readonly string[];
}

/**
 * Checks the arguments of `api.registerCli` (PLUG-035).
 * @param origin - the plugin
 * @param registrar - adds the commands
 * @param options - their names
 * @throws PluginRegistrationError naming the argument
 */
export function readCliRegistrar(
  origin: RegistrationOrigin,
  registrar: CliRegistrar,
  options: CliRegistrationOptions = {},
): PluginCliRegistration {
  const call = { origin, member: "registerCli" };
  expectFunction(call, "registrar", registrar);
  return { ...origin, registrar, commands: expectTexts(call, "commands", options.commands) };
}
