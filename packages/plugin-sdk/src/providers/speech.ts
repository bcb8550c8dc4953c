/** Form of spoken text: `voice-note` is Ogg with Opus, which chat networks show as a voice message. */
export type SpeechTarget = "voice-note" | "audio-file";

/** Text to speak, for a `SpeechProvider`. */
export interface SpeechRequest {
  /** Text without markup, at most 4096 characters. */
  readonly text: string;
  /** Preferred form; a provider without it returns another one. */
  readonly target: SpeechTarget;
  /** Voice of the provider, `speech.voice`; the default of the provider when absent. */
  readonly voice?: string;
  /** Time limit in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts when the audio is no longer needed. */
  readonly signal: AbortSignal;
}

/** Spoken text. */
export interface SpeechResult {
  readonly audioBuffer: Uint8Array;
  /** Extension of the format with its dot, for example `.ogg` or `.mp3`. */
  readonly fileExtension: string;
  /** Name of the format, for the log. */
  readonly outputFormat?: string;
  /** True when chat networks can show it as a voice message. */
  readonly voiceCompatible: boolean;
}

/** Provider of speech, with which replies are sent as audio (HCR-018). */
export interface SpeechProvider {
  /** ID for `speech.provider`, in lower case. */
  readonly id: string;
  /** Display name; the ID when absent. */
  readonly label?: string;
  /** Returns what is missing, for example `set OPENAI_API_KEY`; undefined when the provider can speak. */
  missing?(): string | undefined;
  /**
   * Speaks a text.
   * @param request - text, form and voice
   * @throws an error whose message says what failed; the reply is then sent as text
   */
  synthesize(request: SpeechRequest): Promise<SpeechResult>;
}
