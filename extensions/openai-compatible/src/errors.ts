import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The server did not list its models. */
export class ModelListFailedError extends OpenClawError {
  static override readonly code = "OPENAI_COMPATIBLE_LIST_FAILED";
  static override readonly kind = "unavailable";

  constructor(url: string, problem: string, cause?: unknown) {
    super(
      `${url} did not list its models: ${problem}; check that the server runs and provides the ` +
        "OpenAI API at this URL",
      { cause },
    );
  }
}
