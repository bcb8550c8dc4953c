import { OpenClawError } from "@openclaw/plugin-sdk/errors";

const SIGN_IN = "sign in again with `openclaw nearai login`";

/** There is no session of NEAR AI, and no API key either. */
export class SessionMissingError extends OpenClawError {
  static override readonly code = "NEARAI_SESSION_MISSING";
  static override readonly kind = "configuration";

  /** @param file - path of the session file */
  constructor(file: string) {
    super(
      `NEAR AI has no API key, and ${file} has no session; ` +
        "set NEARAI_API_KEY, or sign in with `openclaw nearai login`",
    );
  }
}

/** The session of NEAR AI expired, and no newer one was found (LLM-010). */
export class SessionRenewalFailedError extends OpenClawError {
  static override readonly code = "NEARAI_SESSION_RENEWAL_FAILED";
  static override readonly kind = "configuration";

  /** @param file - path of the session file */
  constructor(file: string) {
    super(`the NEAR AI session expired, and ${file} has no newer one; ${SIGN_IN}`);
  }
}

/** The sign-in at NEAR AI did not complete. */
export class SignInFailedError extends OpenClawError {
  static override readonly code = "NEARAI_SIGN_IN_FAILED";
  static override readonly kind = "unavailable";

  constructor(problem: string, nextStep: string, cause?: unknown) {
    super(`signing in at NEAR AI failed: ${problem}; ${nextStep}`, { cause });
  }
}
