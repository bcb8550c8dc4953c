import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The server did not list its models. */
export class ModelListFailedError extends OpenClawError {
  static override readonly code = "OPENAI_COMPATIBLE_LIST_FAILED";
  static override readonly kind = "unavailable";

  constructor(address: string, problem: string, cause?: unknown) {
    super(
      `${address} did not list its models: ${problem}; check that the server runs and speaks the ` +
        "OpenAI API at this address",
      { cause },
    );
  }
}
