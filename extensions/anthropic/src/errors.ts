import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A model of Anthropic was asked for and there is no key. */
export class AnthropicKeyMissingError extends OpenClawError {
  static override readonly code = "ANTHROPIC_KEY_MISSING";
  static override readonly kind = "configuration";

  constructor() {
    super(
      "the anthropic plugin has no API key; set ANTHROPIC_API_KEY or " +
        "plugins.entries.anthropic.config.apiKey",
    );
  }
}

/** The configured address is no HTTP address. */
export class AnthropicAddressInvalidError extends OpenClawError {
  static override readonly code = "ANTHROPIC_ADDRESS_INVALID";
  static override readonly kind = "configuration";

  constructor(source: string, address: string) {
    super(
      `the anthropic plugin cannot use the address in ${source}: expected one that starts with ` +
        `http:// or https://, got ${JSON.stringify(address)}; write it like https://api.anthropic.com`,
    );
  }
}
