import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { ProtocolError } from "@openclaw/protocol/registry";

/** Problem in a configuration file. */
export interface ConfigurationProblem {
  /** Dotted path of the key, empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  /** Correct value or next step. */
  readonly suggestion?: string;
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Column number, from 1. */
  readonly column: number;
}

const FIX_THE_FILE = "Fix the file and check it with `openclaw config validate`.";

/** Next step of a change that was rejected: the files are as before, so there is nothing to fix in them. */
export const NOTHING_WRITTEN = "Nothing was written.";

/** The configuration file is not valid (GW-005). */
export class ConfigurationError extends ProtocolError {
  static override readonly code = "CONFIG_INVALID";
  static override readonly kind = "configuration";
  readonly problems: readonly ConfigurationProblem[];

  /**
   * @param problems - every problem of the configuration
   * @param nextStep - last sentence of the message
   */
  constructor(problems: readonly ConfigurationProblem[], nextStep = FIX_THE_FILE) {
    const lines = problems.map(formatProblem);
    super(
      `the configuration has ${problems.length === 1 ? "an error" : `${problems.length} errors`}:\n` +
        `${lines.map((line) => `  ${line}`).join("\n")}\n${nextStep}`,
      { details: { problems } },
    );
    this.problems = problems;
  }
}

/** The running gateway cannot use a change of the configuration, which was taken back (GW-661). */
export class ConfigurationRejectedError extends OpenClawError {
  static override readonly code = "CONFIG_REJECTED";
  static override readonly kind = "configuration";

  /** @param problem - reason of the gateway */
  constructor(problem: string) {
    // The file is as before, so there is nothing to fix in it.
    const reason = problem.replace(FIX_THE_FILE, "").trim();
    super(`the running gateway cannot use the change, so it was taken back: ${reason}`);
  }
}

/** The configuration changed since the version that a change is based on (GW-007). */
export class ConfigurationConflictError extends ProtocolError {
  static override readonly code = "CONFIG_CONFLICT";
  static override readonly kind = "conflict";
  /** Hash of the current configuration, for another attempt. */
  readonly currentHash: string;

  constructor(file: string, currentHash: string) {
    super(
      `${file} was changed since it was read, so nothing was written; read it again, and repeat the change with the hash ${currentHash}`,
      { details: { currentHash } },
    );
    this.currentHash = currentHash;
  }
}

/** Another process keeps changing the configuration. */
export class ConfigurationBusyError extends OpenClawError {
  static override readonly code = "CONFIG_BUSY";
  static override readonly kind = "busy";

  constructor(file: string, cause?: unknown) {
    super(`${file} is being changed by another process, so nothing was written; try again`, {
      cause,
    });
  }
}

/**
 * Formats a problem as one line with its location, description and suggestion.
 * @param problem - problem to format
 */
export function formatProblem(problem: ConfigurationProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`;
  const key = problem.key === "" ? "" : ` ${problem.key}:`;
  const suggestion = problem.suggestion === undefined ? "" : `; ${problem.suggestion}`;
  return `${place}${key} ${problem.message}${suggestion}`;
}
