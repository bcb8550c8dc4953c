import type { SpeechTarget } from "../providers/speech.js";

/** Text that `runtime.speech.synthesize` speaks. */
export interface SynthesisRequest {
  /** Text without markup, at most 4096 characters. */
  readonly text: string;
  /** Preferred form; `audio-file` when absent. */
  readonly target?: SpeechTarget;
  /** Voice of the provider; `speech.voice`, else the default of the provider, when absent. */
  readonly voice?: string;
  readonly signal?: AbortSignal;
}

/** Spoken text. */
export interface SpokenText {
  readonly audio: Uint8Array;
  /** For example `audio/ogg`. */
  readonly mimeType: string;
  /** Extension of the format with its dot, for example `.mp3`. */
  readonly fileExtension: string;
  /** ID of the provider. */
  readonly provider: string;
}

/** Speaks text, with the provider that the operator configured (`speech.provider`). */
export interface RuntimeSpeech {
  /** Returns why the host cannot speak now, with the next step; undefined when it can. */
  unavailable(): string | undefined;
  /**
   * Speaks a text. A text in which the host finds a secret is not sent to a provider.
   * @param request - text, form and voice
   * @throws an error with code `SPEECH_FAILED` that names the reason
   */
  synthesize(request: SynthesisRequest): Promise<SpokenText>;
}
