import { createHash } from "node:crypto";

/** A logger that knows its subsystem. */
export interface SubsystemLogger {
  readonly subsystem: string;
  trace(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  fatal(message: string, fields?: Record<string, unknown>): void;
  /** A logger of a part of the subsystem. */
  child(name: string): SubsystemLogger;
}

/**
 * Writes lines to standard error. They are not in the host's log, which a module cannot reach by itself.
 * @param subsystem - stands in front of every line
 * @deprecated Use `api.logger`, which writes to the host's log with the plugin's id.
 */
export function createSubsystemLogger(subsystem: string): SubsystemLogger {
  const write = (level: string) => (message: string, fields?: Record<string, unknown>) => {
    const more = fields === undefined ? "" : ` ${JSON.stringify(fields)}`;
    process.stderr.write(`${level} [${subsystem}] ${message}${more}\n`);
  };
  const quiet = () => undefined;
  return {
    subsystem,
    trace: quiet,
    debug: quiet,
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    fatal: write("fatal"),
    child: (name) => createSubsystemLogger(`${subsystem}/${name}`),
  };
}

/**
 * Stands for an identifier in a log without giving it away; equal ones look equal.
 * @param value - the identifier
 * @deprecated Hash it yourself.
 */
export function redactIdentifier(value: string | undefined): string {
  if (value === undefined || value === "") return "-";
  return `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 12)}`;
}
