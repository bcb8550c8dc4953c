import { errorMessage } from "@openclaw/foundation";
import { promptArguments, promptUsage, writtenArgument } from "@openclaw/plugin-sdk/kit";
import type { PluginCommandContext } from "@openclaw/plugin-sdk/plugin-entry";
import type { InputRequest, ToolInput } from "@openclaw/plugin-sdk/tools";
import type { PluginCommandRegistration } from "../registration/command.js";
import { type PluginPromptRegistration, promptText, renderedPrompt } from "./prompt.js";

/**
 * Returns the slash command of a prompt, `/plugin:name arguments`; the text of the prompt becomes the message to the agent.
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
    async handler({ args = "", input }: Pick<PluginCommandContext, "args" | "input">) {
      const read = promptArguments(prompt, args);
      if ("missing" in read) {
        return { text: `/${name} needs ${read.missing}. Send /${name} ${usage}` };
      }
      try {
        const inputs = answersWith(input);
        const rendered = await renderedPrompt(registration, read.values, inputs);
        if ("messages" in rendered) {
          return { text: "", continueAgent: true, agentText: promptText(rendered.messages) };
        }
        // The host reads the request, and rejects one that it cannot use.
        const request = rendered.input as InputRequest;
        if (Object.hasOwn(inputs, request.name ?? "input")) {
          return { text: `/${name} failed: it asked for the same input twice` };
        }
        return { text: "", input: { ...request, state: inputs } };
      } catch (error) {
        return { text: errorMessage(error) };
      }
    },
  };
  return { pluginId, source, command, usage: usage === "" ? undefined : usage };
}

/** Returns the answers so far, which the state of each request has. */
function answersWith(input: ToolInput | undefined): Record<string, ToolInput> {
  if (input === undefined) return {};
  const { state, ...answer } = input;
  // Only this module writes the state.
  return { ...(state as Record<string, ToolInput>), [answer.name]: answer };
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
