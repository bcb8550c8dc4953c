import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** This copy of OpenClaw cannot be updated, or not from the given source. Nothing was changed. */
export class UpdateRefusedError extends OpenClawError {
  static override readonly code = "UPDATE_REFUSED";
  static override readonly kind = "conflict";

  constructor(problem: string, nextStep: string) {
    super(`not updated: ${problem}; ${nextStep}`);
  }
}

/** The new version could not be installed, or did not become ready; the previous one is in use again. */
export class UpdateFailedError extends OpenClawError {
  static override readonly code = "UPDATE_FAILED";
  static override readonly kind = "unavailable";

  /**
   * @param version - version that is not in use
   * @param problem - failed step
   * @param outcome - state of the installation now
   * @param output - output of the program that failed
   */
  constructor(version: string, problem: string, outcome: string, output = "") {
    const details = output.trim();
    super(`version ${version} ${problem}; ${outcome}${details === "" ? "" : `:\n${details}`}`);
  }
}
