/** The command line was used in a way that cannot work; the message says what to do instead. */
export class UsageError extends Error {
  readonly code = "USAGE";

  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
