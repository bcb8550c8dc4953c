import { defined } from "@openclaw/foundation";
import { commandMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { CommandList } from "./command-list.js";

/**
 * Creates the command methods.
 * @param commands - commands that work now
 */
export function createCommandMethods(
  commands: Pick<CommandList, "list" | "complete">,
): MethodRegistry<typeof commandMethods> {
  return MethodRegistry.of(commandMethods, {
    "commands.list": async () => ({
      commands: commands.list().map(({ name, aliases, usage, summary, pluginId }) => ({
        name,
        aliases: [...aliases],
        summary,
        source: pluginId === undefined ? ("core" as const) : ("plugin" as const),
        ...defined({ usage, pluginId }),
      })),
    }),
    "commands.complete": async ({ name, args }) => {
      return { values: [...(await commands.complete(name, args))] };
    },
  });
}
