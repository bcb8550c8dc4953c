import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Thrown when the audio service did not answer a request. */
export class OpenAIAudioFailedError extends OpenClawError {
  static override readonly code = "OPENAI_AUDIO_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param baseURL - URL of the service
   * @param problem - failure, with its reason
   * @param nextStep - fix
   * @param cause - underlying error
   */
  constructor(baseURL: string, problem: string, nextStep: string, cause?: unknown) {
    super(`The audio service at ${baseURL} ${problem}; ${nextStep}`, { cause });
  }
}
