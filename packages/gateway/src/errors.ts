import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** One thing that is wrong in a configuration file. */
export interface ConfigurationProblem {
  /** Dotted path of the key, empty for the file as a whole. */
  readonly key: string;
  readonly message: string;
  /** What to write instead. */
  readonly suggestion?: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
}

/** The configuration file cannot be used as it is (GW-005). */
export class ConfigurationError extends OpenClawError {
  static override readonly code = "CONFIG_INVALID";
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(formatProblem);
    super(
      `the configuration has ${problems.length === 1 ? "an error" : `${problems.length} errors`}:\n` +
        `${lines.map((line) => `  ${line}`).join("\n")}\n` +
        "Mend the file and check it with `openclaw config validate`.",
    );
    this.problems = problems;
  }
}

/**
 * One line that says where a problem is, what it is, and what to write instead.
 * @param problem - the problem
 */
export function formatProblem(problem: ConfigurationProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`;
  const key = problem.key === "" ? "" : ` ${problem.key}:`;
  const suggestion = problem.suggestion === undefined ? "" : `; ${problem.suggestion}`;
  return `${place}${key} ${problem.message}${suggestion}`;
}

/** The state folder cannot be made or written. */
export class StateFolderError extends OpenClawError {
  static override readonly code = "STATE_FOLDER_UNUSABLE";
  readonly folder: string;

  constructor(folder: string, problem: string, cause?: unknown) {
    super(
      `the state folder ${folder} ${problem}; ` +
        "make it writable for this user, or choose another with OPENCLAW_STATE_DIR",
      { cause },
    );
    this.folder = folder;
  }
}

/** Another program listens on the gateway's port. */
export class PortTakenError extends OpenClawError {
  static override readonly code = "PORT_TAKEN";
  readonly port: number;

  constructor(host: string, port: number, cause?: unknown) {
    super(
      `port ${port} on ${host} is taken by another program; ` +
        "choose another with --port or OPENCLAW_PORT, or stop that program",
      { cause },
    );
    this.port = port;
  }
}

/** A message cannot be taken in as it is. */
export class MessageRefusedError extends OpenClawError {
  static override readonly code = "MESSAGE_REFUSED";
}
