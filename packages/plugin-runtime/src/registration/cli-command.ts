import type { CliRegistrar, CliRegistrationOptions } from "@openclaw/plugin-sdk/plugin-entry";
import { expectFunction, expectText, expectTexts, wrongArgument } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** Commands that a plugin adds to the CLI. */
export interface PluginCliRegistration extends RegistrationOrigin {
  readonly registrar: CliRegistrar;
  /** Names of the commands; empty when the plugin did not list them. */
  readonly commands: readonly string[];
  /** Returns the configuration as the plugin may see it. */
  config(): Readonly<Record<string, unknown>>;
  /** Line of the help, by the name of a command. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/**
 * Checks the arguments of `api.registerCli` (PLUG-035).
 * @param registrar - adds the commands
 * @param options - their names and descriptions
 * @param config - returns the configuration as the plugin may see it
 * @throws PluginRegistrationError naming the argument
 */
export function readCliRegistrar(
  origin: RegistrationOrigin,
  registrar: CliRegistrar,
  options: CliRegistrationOptions = {},
  config: () => Readonly<Record<string, unknown>> = () => ({}),
): PluginCliRegistration {
  const call = { origin, member: "registerCli" };
  expectFunction(call, "registrar", registrar);
  const { descriptors = [] } = options;
  if (!Array.isArray(descriptors)) throw wrongArgument(call, "descriptors", "expected a list");
  const described = descriptors.map(({ name }) => expectText(call, "name of a descriptor", name));
  const listed = expectTexts(call, "commands", options.commands);
  const descriptions = new Map(
    descriptors.map(({ name, description = "" }) => [name, String(description)]),
  );
  return {
    ...origin,
    registrar,
    commands: [...new Set([...listed, ...described])],
    descriptions,
    config,
  };
}
