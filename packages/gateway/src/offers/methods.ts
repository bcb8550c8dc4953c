import { defined } from "@openclaw/foundation";
import { PluginOffers, type PluginRuntime } from "@openclaw/plugin-runtime";
import { promptMethods, resourceMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";

/**
 * Creates the methods of the prompts and resources of plugins (PLUG-350, PLUG-351).
 * @param plugins - plugins of the host
 */
export function createOfferMethods(plugins: Pick<PluginRuntime, "pin" | "callPlugin">) {
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
    "prompts.get": async ({ name, arguments: values = {} }) => {
      const { description, messages } = await offers.render(name, values);
      return {
        description,
        messages: messages.map(({ role, content }) => ({ role, content: { ...content } })),
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
