import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A model was asked for and no server is named. */
export class ServerAddressMissingError extends OpenClawError {
  static override readonly code = "OPENAI_COMPATIBLE_ADDRESS_MISSING";
  static override readonly kind = "configuration";

  constructor() {
    super(
      "the openai-compatible plugin has no server to ask; set LLM_BASE_URL or " +
        "plugins.entries.openai-compatible.config.baseURL",
    );
  }
}

/** The configured address is no HTTP address. */
export class ServerAddressInvalidError extends OpenClawError {
  static override readonly code = "OPENAI_COMPATIBLE_ADDRESS_INVALID";
  static override readonly kind = "configuration";

  constructor(source: string, address: string) {
    super(
      `the openai-compatible plugin cannot use the address in ${source}: expected one that starts ` +
        `with http:// or https://, got ${JSON.stringify(address)}; write it like http://localhost:1234/v1`,
    );
  }
}

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
