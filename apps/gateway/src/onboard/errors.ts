import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The key, the server or the database of a setup was tested and does not work. Nothing was saved. */
export class OnboardingTestError extends OpenClawError {
  static override readonly code = "ONBOARDING_TEST_FAILED";
  static override readonly kind = "invalid";

  constructor(problem: string) {
    super(`${problem}; nothing was saved. Correct it, or add --skip-tests`);
  }
}
