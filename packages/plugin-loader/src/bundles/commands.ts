import { commandName } from "@openclaw/plugin-discovery";
import type { PluginCommand } from "@openclaw/plugin-sdk/plugin-entry";
import { commandText } from "./command-text.js";
import { lineOf, type PromptFile } from "./prompt-file.js";

/**
 * Creates the slash command of a bundle, whose variants are its prompts: `/bundle:prompt arguments` (EXT-532).
 * @param id - ID of the bundle as a plugin
 * @param prompts - prompts of the bundle
 * @param root - folder of the bundle
 */
export function bundleCommand(
  id: string,
  prompts: readonly PromptFile[],
  root: string,
): PluginCommand {
  const name = commandName(id);
  const found = new Map(
    prompts.map((prompt) => [`${name}:${prompt.name}`.slice(0, 96), prompt] as const),
  );
  const variants = [...found].map(([variant, { settings, text }]) => {
    const usage = lineOf(settings["argument-hint"]);
    const description = lineOf(settings.description) ?? lineOf(text.split("\n", 1)[0]) ?? "prompt";
    return { name: variant, description, ...(usage === undefined ? {} : { usage }) };
  });
  return {
    name,
    description: `show the commands of ${id}`,
    acceptsArgs: true,
    variants: () => variants,
    handler({ variant, args = "" }) {
      const prompt = found.get(variant ?? "");
      if (prompt === undefined) {
        const lines = variants.map(
          ({ name: each, usage, description }) =>
            `/${each}${usage === undefined ? "" : ` ${usage}`}: ${description}`,
        );
        return { text: lines.join("\n") };
      }
      return { text: "", continueAgent: true, agentText: commandText(prompt.text, args, root) };
    },
  };
}
