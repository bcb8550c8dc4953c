import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { FailureType } from "./envelope/envelope.js";

/** Thrown inside the plugin when a run cannot continue; the tool returns it as an envelope (LOB-008). */
export class LobsterError extends OpenClawError {
  static override readonly code = "LOBSTER_FAILED";
  static override readonly kind = "invalid";
  readonly type: FailureType;
  readonly step: string | undefined;

  /**
   * @param type - kind of the failure
   * @param message - sentence with the failure, the expected value and the next step
   * @param step - step or command that failed
   */
  constructor(type: FailureType, message: string, step?: string) {
    super(message);
    this.type = type;
    this.step = step;
  }
}

/** Thrown when the engine is not installed, or is another version than the one this plugin was tested with. */
export class LobsterEngineError extends OpenClawError {
  static override readonly code = "LOBSTER_ENGINE_MISSING";
  static override readonly kind = "unavailable";

  /** @param problem - reason, and the command that installs the engine */
  constructor(problem: string, options?: { cause?: unknown }) {
    super(problem, options);
  }
}

/** Thrown by a command when a run of the given name does not exist. */
export class LobsterRunNotFoundError extends OpenClawError {
  static override readonly code = "LOBSTER_RUN_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param id - ID or code that the caller gave */
  constructor(id: string) {
    super(`no suspended run has the ID or code "${id}"; list them with \`openclaw lobster list\``);
  }
}
