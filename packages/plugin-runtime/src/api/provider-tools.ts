import type { ImageGenerationProvider, WebToolProvider } from "@openclaw/plugin-sdk/plugin-entry";
import type { AnyAgentTool, ToolFactory } from "@openclaw/plugin-sdk/tools";
import { type ApiCall, expectFunction, expectObject, expectText } from "../registration/check.js";

/** Most images of one call. */
const MOST_IMAGES = 4;

/**
 * Creates the factory of the tool `web_search` from a search provider of an older plugin.
 * @param call - the call of the `api`
 * @throws PluginRegistrationError naming the field
 */
export function webSearchTool(call: ApiCall, provider: WebToolProvider): ToolFactory {
  expectObject(call, "provider", provider);
  const id = expectText(call, "id", provider.id);
  expectFunction(call, `createTool of provider "${id}"`, provider.createTool);
  return ({ config }): AnyAgentTool | null => {
    const made = provider.createTool({ config });
    if (made === null || made === undefined) return null;
    return {
      name: "web_search",
      label: provider.label ?? id,
      description: made.description,
      parameters: made.parameters,
      async execute(_toolCallId, params, signal) {
        const found: unknown = await made.execute(params, { signal });
        return { content: [{ type: "text", text: textOf(found) }], details: found };
      },
    };
  };
}

/**
 * Creates the tool `image_generate` from an image provider of an older plugin.
 * @param call - the call of the `api`
 * @param config - returns the configuration of the host as the plugin may see it
 * @throws PluginRegistrationError naming the field
 */
export function imageTool(
  call: ApiCall,
  provider: ImageGenerationProvider,
  config: () => Readonly<Record<string, unknown>>,
): AnyAgentTool {
  expectObject(call, "provider", provider);
  const id = expectText(call, "id", provider.id);
  expectFunction(call, `generateImage of provider "${id}"`, provider.generateImage);
  return {
    name: "image_generate",
    label: provider.label ?? id,
    description: `Generate images from a description, with ${provider.label ?? id}.`,
    parameters: {
      type: "object",
      required: ["prompt"],
      properties: {
        prompt: { type: "string", description: "What the image shows." },
        model: { type: "string", description: "Model of the provider; its default when absent." },
        count: {
          type: "integer",
          minimum: 1,
          maximum: MOST_IMAGES,
          description: "Number of images.",
        },
      },
    },
    async execute(_toolCallId, { prompt, model, count }) {
      const { images } = await provider.generateImage({
        provider: id,
        model: typeof model === "string" ? model : (provider.defaultModel ?? ""),
        prompt: String(prompt),
        count: typeof count === "number" ? count : 1,
        cfg: config(),
      });
      return {
        content: images.map(({ buffer, mimeType }) => ({
          type: "image" as const,
          data: Buffer.from(buffer).toString("base64"),
          mimeType,
        })),
        details: { provider: id, count: images.length },
      };
    },
  };
}

function textOf(found: unknown): string {
  return typeof found === "string" ? found : (JSON.stringify(found, undefined, 2) ?? "");
}
