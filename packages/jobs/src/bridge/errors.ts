import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The bridge to an external agent refused to start, or the agent broke its rules. */
export class BridgeError extends OpenClawError {
  static override readonly code = "BRIDGE_FAILED";
  static override readonly kind = "unavailable";

  /** @param problem - fault of the agent, and the next step */
  constructor(problem: string) {
    super(`the bridge to the agent stopped: ${problem}`);
  }
}
