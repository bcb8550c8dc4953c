import { withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** No enabled plugin registers an OAuth credential with the given name. */
export class OAuthCredentialNotFoundError extends OpenClawError {
  static override readonly code = "OAUTH_CREDENTIAL_NOT_FOUND";
  static override readonly kind = "not-found";
  readonly credential: string;

  /**
   * @param credential - the given name
   * @param meant - registered names that were probably meant
   */
  constructor(credential: string, meant: readonly string[]) {
    super(
      withSuggestion(
        `no enabled plugin registers the OAuth credential "${credential}"`,
        meant,
        "enable its plugin, or run `openclaw secrets logins` for a list",
      ),
    );
    this.credential = credential;
  }
}

/** An authorization server could not be reached, or did not answer as the protocol says. */
export class OAuthRequestError extends OpenClawError {
  static override readonly code = "OAUTH_REQUEST_FAILED";
  static override readonly kind = "unavailable";
  readonly credential: string;
  /** Error code of the server, for example `invalid_grant`; undefined when it sent none. */
  readonly serverError: string | undefined;

  /**
   * @param action - failed action, for example `the refresh`
   * @param problem - problem without secrets
   * @param serverError - error code of the server
   */
  constructor(credential: string, action: string, problem: string, serverError?: string) {
    super(
      `${action} of the credential "${credential}" failed: ${problem}; try again later, or check the settings of its plugin`,
    );
    this.credential = credential;
    this.serverError = serverError;
  }
}

/** The state of a callback is unknown, was used before, or has expired; no token was requested. */
export class OAuthStateError extends OpenClawError {
  static override readonly code = "OAUTH_STATE_INVALID";
  static override readonly kind = "invalid";

  constructor() {
    super(
      "this login was not started here, is complete, or has expired; start it again with `openclaw secrets login`",
    );
  }
}

/** A login cannot be started, or does not exist. */
export class OAuthLoginError extends OpenClawError {
  static override readonly code = "OAUTH_LOGIN_INVALID";
  static override readonly kind = "invalid";
}
