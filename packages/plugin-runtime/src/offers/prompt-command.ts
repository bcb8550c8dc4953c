import { errorMessage } from "@openclaw/foundation";
import { promptArguments, promptUsage, writtenArgument } from "@openclaw/plugin-sdk/kit";
import type { PluginCommandRegistration } from "../registration/command.js";
import { type PluginPromptRegistration, promptText, renderedPrompt } from "./prompt.js";

/**
 * Returns the slash command of a prompt, `/plugin:name arguments`; the text of the prompt becomes the message to the agent.
 * @param registration - prompt of a plugin
 */
export function promptCommand(registration: PluginPromptRegistration): PluginCommandRegistration {
  const { prompt, pluginId, source } = registration;
  const usage = promptUsage(prompt);
  const name = `${word(pluginId)}:${word(prompt.name)}`;
  const command = {
    name,
    description: prompt.description,
    acceptsArgs: usage !== "",
    complete: ({ args }: { readonly args: string }) => completions(registration, args),
    async handler({ args = "" }: { readonly args?: string }) {
      const read = promptArguments(prompt, args);
      if ("missing" in read) {
        return { text: `/${name} needs ${read.missing}. Send /${name} ${usage}` };
      }
      try {
        const messages = await renderedPrompt(registration, read.values);
        return { text: "", continueAgent: true, agentText: promptText(messages) };
      } catch (error) {
        return { text: errorMessage(error) };
      }
    },
  };
  return { pluginId, source, command, usage: usage === "" ? undefined : usage };
}

async function completions(
  { prompt }: PluginPromptRegistration,
  args: string,
): Promise<readonly string[]> {
  const written = writtenArgument(prompt, args);
  const argument = prompt.arguments?.find(({ name }) => name === written?.name);
  if (written === undefined || argument?.complete === undefined) return [];
  return await argument.complete(written.value, written.given);
}

/** Returns a part of the name of a command. */
function word(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9_-]/g, "-");
}
