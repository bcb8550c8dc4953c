import type { PluginCommand } from "@openclaw/plugin-sdk";
import { expectFunction, expectName, expectObject, expectText, type NameRule } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A slash command of a plugin. */
export interface PluginCommandRegistration extends RegistrationOrigin {
  readonly command: PluginCommand;
  /** Arguments for the list of commands, of the command of a prompt. */
  readonly usage?: string | undefined;
}

const NAME: NameRule = {
  pattern: /^[a-z][a-z0-9_-]{0,31}$/,
  expected: "a lower-case letter and up to 31 of a-z 0-9 _ -, without the slash",
};

/**
 * Checks the argument of `api.registerCommand` (PLUG-033).
 * @throws PluginRegistrationError naming the field
 */
export function readCommand(
  origin: RegistrationOrigin,
  command: PluginCommand,
): PluginCommandRegistration {
  const call = { origin, member: "registerCommand" };
  expectObject(call, "command", command);
  const name = expectName(call, "name", command.name, NAME);
  expectText(call, `description of command "${name}"`, command.description);
  expectFunction(call, `handler of command "${name}"`, command.handler);
  const { variants, complete } = command;
  if (variants !== undefined) expectFunction(call, `variants of command "${name}"`, variants);
  if (complete !== undefined) expectFunction(call, `complete of command "${name}"`, complete);
  return { ...origin, command };
}
