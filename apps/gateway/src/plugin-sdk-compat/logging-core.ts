import { createHash } from "node:crypto";

/** Logger of a subsystem. */
export interface SubsystemLogger {
  readonly subsystem: string;
  trace(message: string, fields?: Record<string, unknown>): void;
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  fatal(message: string, fields?: Record<string, unknown>): void;
  /** Returns a logger for a part of the subsystem. */
  child(name: string): SubsystemLogger;
}

/**
 * Creates a logger that writes lines to standard error. The lines do not reach the host's log, to which a
 * module has no access.
 * @param subsystem - prefix of every line
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
 * Replaces an identifier in a log with a hash; equal identifiers have equal hashes.
 * @param value - identifier to hide
 * @deprecated Hash it yourself.
 */
export function redactIdentifier(value: string | undefined): string {
  if (value === undefined || value === "") return "-";
  return `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 12)}`;
}
