import { OpenClawError } from "@openclaw/foundation/errors";

/** The command line was used in a way that cannot work; the message says what to do instead. */
export class UsageError extends OpenClawError {
  static override readonly code = "USAGE";
  static override readonly kind = "invalid";
}
