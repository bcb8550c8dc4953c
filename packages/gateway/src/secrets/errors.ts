import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The master key of the secrets is missing, is another one, or cannot be used; nothing was changed. */
export class SecretKeyError extends OpenClawError {
  static override readonly code = "SECRET_KEY_UNUSABLE";
  static override readonly kind = "configuration";

  constructor(problem: string, nextStep: string, cause?: unknown) {
    super(`${problem}; ${nextStep}`, { cause });
  }
}

/** No secret has the given name, or it has expired. */
export class SecretNotFoundError extends OpenClawError {
  static override readonly code = "SECRET_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly secret: string;

  constructor(secret: string, nearest: string | undefined) {
    super(
      withSuggestion(
        `secret "${secret}" not found`,
        nearest,
        "run `openclaw secrets list` for a list",
      ),
    );
    this.secret = secret;
  }
}

/** A secret, its name or an exported file is not valid. */
export class SecretInvalidError extends OpenClawError {
  static override readonly code = "SECRET_INVALID";
  static override readonly kind = "invalid";
}
