import { defined } from "@openclaw/foundation";
import { commandMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { CommandCatalog } from "./catalog.js";

/**
 * Creates the command methods.
 * @param catalog - commands that work now
 */
export function createCommandMethods(
  catalog: Pick<CommandCatalog, "list">,
): MethodRegistry<typeof commandMethods> {
  return MethodRegistry.of(commandMethods, {
    "commands.list": async () => ({
      commands: catalog.list().map(({ name, aliases, usage, summary, pluginId }) => ({
        name,
        aliases: [...aliases],
        summary,
        source: pluginId === undefined ? ("core" as const) : ("plugin" as const),
        ...defined({ usage, pluginId }),
      })),
    }),
  });
}
