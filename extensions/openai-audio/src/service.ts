import { errorMessage } from "@openclaw/plugin-sdk/kit";
import { boundedFetch } from "@openclaw/plugin-sdk/provider-entry";
import { OpenAIAudioFailedError } from "./errors.js";
import type { AudioSettings } from "./settings.js";

/** Largest answer of the service, in bytes. */
const MOST_BYTES = 20 * 1024 * 1024;
const readBounded = boundedFetch({ replyBytes: MOST_BYTES, lineBytes: MOST_BYTES });

/** Text of a recording. */
export interface Transcript {
  readonly text: string;
  readonly language?: string | undefined;
}

/** Transcribes recordings and speaks replies, by the audio API of OpenAI. */
export class AudioService {
  readonly #settings: AudioSettings;

  /** @param settings - URL, key and models */
  constructor(settings: AudioSettings) {
    this.#settings = settings;
  }

  /**
   * Transcribes a recording.
   * @param audio - content of the file
   * @param mimeType - type of the file, for example `audio/ogg; codecs=opus`
   * @param signal - ends the request
   * @throws OpenAIAudioFailedError when no transcript arrived
   */
  async transcribe(audio: Uint8Array, mimeType: string, signal: AbortSignal): Promise<Transcript> {
    const { transcriptionModel, language } = this.#settings;
    // The name of the uploaded file is made of the type, and services read the format from it.
    const [mediaType = mimeType] = mimeType.split(";", 1);
    return await this.#call("transcribe a recording", signal, async (openai) => {
      const { text, language: spoken } = await openai.transcription(transcriptionModel).doGenerate({
        ...{ audio, mediaType: mediaType.trim(), abortSignal: signal },
        providerOptions: { openai: language === undefined ? {} : { language } },
      });
      return { text, language: spoken ?? language };
    });
  }

  /**
   * Speaks a text.
   * @param text - text without markup
   * @param format - `opus` is Ogg with Opus, which chat networks show as a voice message
   * @param options - voice, and signal that ends the request
   * @throws OpenAIAudioFailedError when no audio arrived
   */
  async speak(
    text: string,
    format: "opus" | "mp3",
    { voice = this.#settings.voice, signal }: { voice?: string | undefined; signal: AbortSignal },
  ): Promise<Uint8Array> {
    const { speechModel } = this.#settings;
    return await this.#call("speak a text", signal, async (openai) => {
      const { audio } = await openai
        .speech(speechModel)
        .doGenerate({ text, voice, outputFormat: format, abortSignal: signal });
      return typeof audio === "string" ? Buffer.from(audio, "base64") : audio;
    });
  }

  async #call<Result>(
    purpose: string,
    signal: AbortSignal,
    call: (openai: import("@ai-sdk/openai").OpenAIProvider) => Promise<Result>,
  ): Promise<Result> {
    const { baseURL, apiKey = "none", missing } = this.#settings;
    if (missing !== undefined) throw new OpenAIAudioFailedError(baseURL, "is not set up", missing);
    try {
      // The library reads the variable when it is loaded, and does not accept an empty one.
      if (process.env.OPENAI_BASE_URL?.trim() === "") delete process.env.OPENAI_BASE_URL;
      const { createOpenAI } = await import("@ai-sdk/openai");
      // The library needs a key; a service without keys ignores it.
      return await call(createOpenAI({ baseURL, apiKey, fetch: readBounded }));
    } catch (error) {
      signal.throwIfAborted();
      throw new OpenAIAudioFailedError(
        baseURL,
        `did not ${purpose}: ${reasonOf(error)}`,
        stepOf(error),
        error,
      );
    }
  }
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("statusCode" in error)) return undefined;
  return typeof error.statusCode === "number" ? error.statusCode : undefined;
}

function reasonOf(error: unknown): string {
  const status = statusOf(error);
  const message = errorMessage(error);
  return status === undefined ? message : `HTTP ${status}, ${message}`;
}

function stepOf(error: unknown): string {
  switch (statusOf(error)) {
    case 401:
    case 403:
      return "check AUDIO_API_KEY or OPENAI_API_KEY";
    case 404:
      return "check AUDIO_BASE_URL, which ends with /v1, and the model";
    case 429:
      return "try again later, or raise the limit of the account";
    default:
      return "check AUDIO_BASE_URL and that the service runs";
  }
}
