import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A model of OpenAI was asked for and there is no key. */
export class OpenAiKeyMissingError extends OpenClawError {
  static override readonly code = "OPENAI_KEY_MISSING";
  static override readonly kind = "configuration";

  constructor() {
    super(
      "the openai plugin has no API key; set OPENAI_API_KEY or plugins.entries.openai.config.apiKey",
    );
  }
}

/** The configured address is no HTTP address. */
export class OpenAiAddressInvalidError extends OpenClawError {
  static override readonly code = "OPENAI_ADDRESS_INVALID";
  static override readonly kind = "configuration";

  constructor(source: string, address: string) {
    super(
      `the openai plugin cannot use the address in ${source}: expected one that starts with ` +
        `http:// or https://, got ${JSON.stringify(address)}; write it like https://api.openai.com/v1`,
    );
  }
}
