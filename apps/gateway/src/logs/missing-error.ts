import { OpenClawError } from "@openclaw/foundation/errors";

/** Error for a state folder without a log. */
export class LogMissingError extends OpenClawError {
  static override readonly code = "LOG_MISSING";
  static override readonly kind = "not-found";

  /** @param file - path that the log would have */
  constructor(readonly file: string) {
    super(`there is no log at ${file}; a gateway writes one when it starts`);
  }
}
