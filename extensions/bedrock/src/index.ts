import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import { boundedFetch, defineModelProviderPlugin } from "@openclaw/plugin-sdk/provider-entry";

const MISSING_REGION = { label: "region" };

export default defineModelProviderPlugin({
  id: "bedrock",
  config: {
    region: {
      type: "string",
      description: "Region of AWS; default: AWS_REGION, otherwise AWS_DEFAULT_REGION.",
    },
    accessKeyId: { type: "string", description: "Access key ID; default: AWS_ACCESS_KEY_ID." },
    secretAccessKey: {
      type: "string",
      description: "Secret access key; default: AWS_SECRET_ACCESS_KEY.",
    },
    sessionToken: {
      type: "string",
      description: "Token of temporary credentials; default: AWS_SESSION_TOKEN.",
    },
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description:
        "URL of the runtime API; default: BEDROCK_BASE_URL, otherwise https://bedrock-runtime.<region>.amazonaws.com.",
    },
    model: {
      type: "string",
      description:
        "ID of a model or inference profile used when only the provider is named; default: BEDROCK_MODEL_ID.",
    },
  },
  env: {
    region: ["AWS_REGION", "AWS_DEFAULT_REGION"],
    accessKeyId: "AWS_ACCESS_KEY_ID",
    secretAccessKey: "AWS_SECRET_ACCESS_KEY",
    sessionToken: "AWS_SESSION_TOKEN",
    baseURL: "BEDROCK_BASE_URL",
    model: "BEDROCK_MODEL_ID",
  },
  create(settings) {
    const baseURL = settings.httpUrl("baseURL", {
      example: "https://bedrock-runtime.us-east-1.amazonaws.com",
    });
    settings.headerValue("region");
    settings.headerValue("accessKeyId");
    settings.headerValue("sessionToken");
    const model = settings.find("model");
    const isComplete =
      settings.find("region") && settings.find("accessKeyId") && settings.find("secretAccessKey");
    return {
      id: "bedrock",
      label: "Amazon Bedrock",
      // Which models exist depends on the region and on the account.
      defaultModel: model?.value ?? "",
      paid: true,
      setup:
        isComplete && model === undefined
          ? "set BEDROCK_MODEL_ID to a model that your account may use"
          : "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and BEDROCK_MODEL_ID",
      credential: isComplete && settings.credential("accessKeyId"),
      async languageModel(modelId) {
        const credentials = {
          region: settings.require("region", MISSING_REGION),
          accessKeyId: settings.require("accessKeyId", { label: "access key ID" }),
          secretAccessKey: settings.require("secretAccessKey", { label: "secret access key" }),
        };
        const sessionToken = settings.find("sessionToken")?.value;
        const { createAmazonBedrock } = await import("@ai-sdk/amazon-bedrock");
        const bedrock = createAmazonBedrock({
          ...credentials,
          ...defined({ sessionToken, baseURL }),
          // Otherwise the library would prefer a key in AWS_BEARER_TOKEN_BEDROCK to these credentials.
          apiKey: "",
          fetch: boundedFetch(),
        });
        return withRealEnd(bedrock.languageModel(modelId));
      },
    };
  },
});

type BedrockModel = ReturnType<
  ReturnType<typeof import("@ai-sdk/amazon-bedrock").createAmazonBedrock>["languageModel"]
>;
type StreamPart =
  Awaited<ReturnType<BedrockModel["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never;

/** Stop reason of a reply that filled the context window, which the library does not know. */
const FULL_WINDOW = "model_context_window_exceeded";

/** Removes the end of a stream that has no stop reason, which the library adds to a stream that was cut off. */
function withRealEnd(model: BedrockModel): BedrockModel {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: (options) => model.doGenerate(options),
    async doStream(options) {
      const { stream, ...rest } = await model.doStream(options);
      return { ...rest, stream: stream.pipeThrough(withoutAddedEnd()) };
    },
  };
}

function withoutAddedEnd(): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type !== "finish") {
        controller.enqueue(part);
        return;
      }
      const { raw } = part.finishReason;
      // Without its last part the host reports the reply as incomplete.
      if (raw === undefined) return;
      const finishReason =
        raw === FULL_WINDOW ? { unified: "length" as const, raw } : part.finishReason;
      controller.enqueue({ ...part, finishReason });
    },
  });
}
