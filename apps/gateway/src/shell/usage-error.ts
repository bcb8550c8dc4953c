import { OpenClawError } from "@openclaw/foundation/errors";

/** Error for a command line that is not valid; the message says how to correct it. */
export class UsageError extends OpenClawError {
  static override readonly code = "USAGE";
  static override readonly kind = "invalid";
}
