import type { MemoryPromptContext } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginMemoryRegistration } from "./registrars.js";

/** Section of the prompt about a memory. */
export interface MemoryPrompt {
  readonly pluginId: string;
  /**
   * Returns the section; undefined when the plugin has none for the turn. Does not catch errors of the plugin.
   * @param context - the turn
   * @throws TypeError when the plugin returned something other than text or lines
   */
  build(context: MemoryPromptContext): Promise<string | undefined>;
}

/**
 * Returns the sections of the prompt of the memory and of plugins that add to it, in this order.
 * @param memory - the registered parts; only the plugin that has the slot is loaded (PLUG-011)
 */
export function memoryPrompts(
  memory: readonly PluginMemoryRegistration[],
): readonly MemoryPrompt[] {
  return (["promptBuilder", "promptSupplement"] as const).flatMap((part) =>
    memory.flatMap((registration) => {
      if (registration.part !== part) return [];
      const { pluginId, value } = registration;
      return [{ pluginId, build: async (context) => sectionOf(await value(context)) }];
    }),
  );
}

function sectionOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  const lines: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!lines.every((line) => typeof line === "string")) {
    throw new TypeError("expected a text or a list of lines");
  }
  const section = lines.join("\n").trim();
  return section === "" ? undefined : section;
}
