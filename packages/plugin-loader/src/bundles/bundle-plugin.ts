import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { startOfText } from "@openclaw/foundation/display";
import type { Bundle, BundleFile } from "@openclaw/plugin-discovery";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import { registerAgents } from "./agents.js";
import { bundleCommand } from "./commands.js";
import { type PromptFile, readPromptFile } from "./prompt-file.js";

/** Longest text of the files of context, in UTF-16 code units. */
const LONGEST_CONTEXT = 32_000;

/**
 * Registers the commands, agents and context of a bundle as those of a plugin (EXT-531). Skills, hooks and MCP servers
 * follow from its manifest.
 * @param api - `api` of the plugin
 * @param plugin - ID and folder of the plugin
 */
export async function registerBundle(
  api: OpenClawPluginApi,
  bundle: Bundle,
  { id, rootDir }: { readonly id: string; readonly rootDir: string },
): Promise<void> {
  const read = async (files: readonly BundleFile[]): Promise<readonly PromptFile[]> => {
    const found: PromptFile[] = [];
    for (const file of files) {
      const prompt = await readPromptFile(file);
      if ("text" in prompt) found.push(prompt);
      else api.logger.warn(`${relative(rootDir, file.path)} is left out: it ${prompt.problem}`);
    }
    return found;
  };
  const commands = await read(bundle.commands);
  if (commands.length > 0) api.registerCommand(bundleCommand(id, commands, rootDir));
  const agents = await read(bundle.agents);
  if (agents.length > 0) registerAgents(api, id, agents);
  const texts = await Promise.all(bundle.context.map((path) => readFile(path, "utf8")));
  const context = startOfText(texts.join("\n\n").trim(), LONGEST_CONTEXT);
  if (context !== "") {
    api.on("before_prompt_build", () => ({ untrustedContext: context }));
  }
}
