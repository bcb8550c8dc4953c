import { isAbsolute, join, resolve } from "node:path";
import {
  boundedFetch,
  defineModelProviderPlugin,
  listProviderModels,
  type ProviderHost,
} from "@openclaw/plugin-sdk/provider-entry";
import { SessionMissingError } from "./errors.js";
import { addLoginCommand } from "./login-command.js";
import { chainedResponses } from "./response-chain.js";
import { sessionFetch } from "./session-fetch.js";
import { SessionFile } from "./session-file.js";

const DEFAULT_MODEL = "zai-org/GLM-5.1-FP8";
/** Embedding models, with 1536 and 1024 dimensions; the first one is the default. */
const EMBEDDING_MODELS = ["text-embedding-3-small", "Qwen/Qwen3-Embedding-0.6B"] as const;
/** API for keys, and API for signed-in users. */
const KEY_URL = "https://cloud-api.near.ai";
const SESSION_URL = "https://private.near.ai";

export default defineModelProviderPlugin({
  id: "nearai",
  config: {
    apiKey: { type: "string", description: "API key; default: the variable NEARAI_API_KEY." },
    baseURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description: `URL of the API; default: NEARAI_BASE_URL, otherwise ${KEY_URL} with a key and ${SESSION_URL} with a session.`,
    },
    model: {
      type: "string",
      description: `Model used when only the provider is named; default: NEARAI_MODEL, otherwise ${DEFAULT_MODEL}.`,
    },
    api: {
      type: "string",
      enum: ["responses", "chat_completions"],
      description:
        "API to use; default: NEARAI_API_MODE, otherwise chat_completions with a key and responses with a session.",
    },
    authURL: {
      type: "string",
      pattern: "^https?://[^\\s/]",
      description: `URL of the sign-in; default: NEARAI_AUTH_URL, otherwise ${SESSION_URL}.`,
    },
    sessionPath: {
      type: "string",
      description:
        "File with the session of the sign-in; default: NEARAI_SESSION_PATH, otherwise nearai-session.json in the state folder.",
    },
  },
  env: {
    apiKey: "NEARAI_API_KEY",
    baseURL: "NEARAI_BASE_URL",
    model: "NEARAI_MODEL",
    api: "NEARAI_API_MODE",
    authURL: "NEARAI_AUTH_URL",
    sessionPath: "NEARAI_SESSION_PATH",
  },
  create(settings, host) {
    const apiKey = settings.headerValue("apiKey");
    const file = sessionFile(settings.find("sessionPath")?.value, host);
    const usual = apiKey === undefined ? SESSION_URL : KEY_URL;
    const baseURL = withVersion(settings.httpUrl("baseURL", { example: KEY_URL }) ?? usual);
    settings.httpUrl("authURL", { example: SESSION_URL });
    const api =
      settings.choice("api", ["responses", "chat_completions"]) ??
      (apiKey === undefined ? "responses" : "chat_completions");
    const bounded = boundedFetch();
    const fetch =
      apiKey === undefined ? sessionFetch({ file, fetch: bounded, now: Date.now }) : bounded;
    // `fetch` replaces the key with the token of the session.
    const server = { name: "nearai", baseURL, apiKey: apiKey ?? "session", fetch };
    const requireCredential = () => {
      if (apiKey !== undefined || file.read() !== undefined) return;
      throw new SessionMissingError(file.path);
    };
    async function client() {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const replies = { includeUsage: true, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...server, ...replies });
    }
    return {
      id: "nearai",
      label: "NEAR AI",
      defaultModel: settings.find("model")?.value ?? DEFAULT_MODEL,
      paid: true,
      setup: "set NEARAI_API_KEY, or sign in with `openclaw nearai login`",
      credential:
        settings.credential("apiKey") ??
        (file.read() === undefined ? undefined : { source: file.path }),
      async languageModel(modelId) {
        requireCredential();
        if (api === "responses") {
          const { createOpenAI } = await import("@ai-sdk/openai");
          return chainedResponses(createOpenAI(server).responses(modelId));
        }
        return (await client()).chatModel(modelId);
      },
      listModels: () => listProviderModels({ baseURL, apiKey, fetch, idFields: ["id", "modelId"] }),
      defaultEmbeddingModel: EMBEDDING_MODELS[0],
      listEmbeddingModels: () => EMBEDDING_MODELS,
      async embeddingModel(modelId) {
        requireCredential();
        return (await client()).embeddingModel(modelId);
      },
    };
  },
  register(api, settings, host) {
    const authURL = settings.find("authURL")?.value ?? SESSION_URL;
    api.registerCli(
      ({ program }) => {
        const file = sessionFile(settings.find("sessionPath")?.value, host);
        addLoginCommand(program, { authURL, file });
      },
      {
        descriptors: [{ name: "nearai", description: "Sign in at NEAR AI.", hasSubcommands: true }],
      },
    );
  },
});

function sessionFile(path: string | undefined, { stateDir }: ProviderHost): SessionFile {
  if (path === undefined) return new SessionFile(join(stateDir(), "nearai-session.json"));
  return new SessionFile(isAbsolute(path) ? path : resolve(path));
}

/** Adds the version, which the variables of NEAR AI leave out. */
function withVersion(url: string): string {
  return new URL(url).pathname === "/" ? new URL("/v1", url).href : url;
}
