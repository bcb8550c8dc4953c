import { defined } from "@openclaw/foundation";
import { PluginOffers, type PluginRuntime } from "@openclaw/plugin-runtime";
import type { PromptMessage } from "@openclaw/plugin-sdk/plugin-entry";
import { promptMethods, resourceMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { type OutputOptions, redactLeaks, withoutUnseen } from "@openclaw/safety";
import { renderAnswered } from "./answered-prompt.js";

/**
 * Creates the methods of the prompts and resources of plugins (PLUG-350, PLUG-351).
 * @param plugins - plugins of the host
 * @param safety - returns the rules of the safety engine in force
 */
export function createOfferMethods(
  plugins: Pick<PluginRuntime, "pin" | "callPlugin">,
  safety: () => Pick<OutputOptions, "rules">,
) {
  const offers = new PluginOffers(plugins);
  return MethodRegistry.of(promptMethods, {
    "prompts.list": async () => ({
      prompts: offers.prompts().map(({ name, registration: { pluginId, prompt } }) => {
        const { title, description, arguments: list = [] } = prompt;
        return {
          ...{ name, pluginId, description },
          ...defined({ title }),
          arguments: list.map(({ name: argument, description: about, required }) => ({
            name: argument,
            ...defined({ description: about }),
            required: required === true,
          })),
        };
      }),
    }),
    "prompts.get": async ({ name, arguments: values = {}, inputs = {} }) => {
      const { description, messages, input } = await renderAnswered(
        name,
        (given) => offers.render(name, values, given),
        inputs,
      );
      return {
        description,
        ...defined({ input: input && { ...input, schema: { ...input.schema } } }),
        messages: messages.map(({ role, content }) => ({
          role,
          content: guarded(content, safety()),
        })),
      };
    },
    "prompts.complete": async ({ name, argument, value, arguments: given = {} }) => ({
      values: [...(await offers.completePrompt(name, argument, value, given))],
    }),
  }).with(
    MethodRegistry.of(resourceMethods, {
      "resources.list": async () => ({
        resources: (await offers.resources()).map((each) => ({ ...each })),
        templates: offers.templates().map(({ uri: uriTemplate, ...about }) => ({
          uriTemplate,
          ...about,
        })),
      }),
      "resources.find": async ({ uri }) => defined({ tool: offers.toolOf(uri) }),
      "resources.complete": async ({ uriTemplate, variable, value }) => ({
        values: [...(await offers.completeResource(uriTemplate, variable, value))],
      }),
    }),
  );
}

/**
 * Returns a part of a prompt without secrets and without characters that a reader does not see (EXT-366). A prompt gives
 * instructions, so that no warning of injection is added.
 */
function guarded(
  content: PromptMessage["content"],
  { rules }: Pick<OutputOptions, "rules">,
): Record<string, unknown> {
  if (content.type !== "text") return { ...content };
  const leaks = { context: "output", ...defined({ rules }) } as const;
  const { text } = redactLeaks(withoutUnseen(content.text).text, leaks);
  return { ...content, text: text.toWellFormed() };
}
