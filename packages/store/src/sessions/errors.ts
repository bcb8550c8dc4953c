import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A session was not imported: the document is not an archive, or part of it already exists. */
export class SessionArchiveError extends OpenClawError {
  static override readonly code = "SESSION_ARCHIVE_REFUSED";
  static override readonly kind = "conflict";

  constructor(problem: string, nextStep: string) {
    super(`the session was not imported: ${problem}; ${nextStep}`);
  }
}
