import { headerFault } from "@openclaw/plugin-sdk/plugin-entry";

const OPENAI_URL = "https://api.openai.com/v1";

/** Configuration of the plugin. */
export interface AudioConfig {
  readonly baseURL?: string;
  readonly apiKey?: string;
  readonly transcriptionModel?: string;
  readonly language?: string;
  readonly speechModel?: string;
  readonly voice?: string;
}

/** Settings of the service. */
export interface AudioSettings {
  readonly baseURL: string;
  /** Absent for a service without keys. */
  readonly apiKey?: string | undefined;
  readonly transcriptionModel: string;
  /** Language of recordings as ISO 639-1 code; recognised by the service when absent. */
  readonly language?: string | undefined;
  readonly speechModel: string;
  readonly voice: string;
  /** Instruction to set the plugin up; absent when it can be used. */
  readonly missing?: string | undefined;
}

/**
 * Returns the settings of the service: the configuration first, then the environment.
 * @param config - configuration of the plugin
 * @param environment - environment variables
 */
export function audioSettings(
  config: AudioConfig,
  environment: Readonly<Record<string, string | undefined>>,
): AudioSettings {
  const variable = (name: string) => environment[name]?.trim() || undefined;
  const own = config.baseURL?.trim() || variable("AUDIO_BASE_URL");
  const ownKey = config.apiKey?.trim() || variable("AUDIO_API_KEY");
  // The key of OpenAI is sent to no other service than the one of the models.
  const baseURL = own ?? variable("OPENAI_BASE_URL") ?? OPENAI_URL;
  const apiKey = ownKey ?? (own === undefined ? variable("OPENAI_API_KEY") : undefined);
  return {
    baseURL,
    apiKey,
    transcriptionModel: config.transcriptionModel ?? "gpt-4o-mini-transcribe",
    language: config.language,
    speechModel: config.speechModel ?? "gpt-4o-mini-tts",
    voice: config.voice ?? "alloy",
    missing: missingOf(baseURL, apiKey, own !== undefined),
  };
}

function missingOf(
  baseURL: string,
  apiKey: string | undefined,
  isOwnService: boolean,
): string | undefined {
  if (!/^https?:\/\//i.test(baseURL) || !URL.canParse(baseURL)) {
    return `AUDIO_BASE_URL must begin with http:// or https://, and is "${baseURL}"`;
  }
  const fault = apiKey === undefined ? undefined : headerFault(apiKey);
  if (fault !== undefined) {
    return `the API key of AUDIO_API_KEY, OPENAI_API_KEY or plugins.entries.openai-audio.config.apiKey is not valid: ${fault}; copy it again`;
  }
  if (apiKey !== undefined || isOwnService) return undefined;
  return "set AUDIO_API_KEY or OPENAI_API_KEY, or AUDIO_BASE_URL to a service of your own";
}
