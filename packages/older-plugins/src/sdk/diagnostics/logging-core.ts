import { createHash } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Channel on which the host publishes the lines of its log. */
const LOG_CHANNEL = "openclaw.log";

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

/** Line of a log. */
export type LogTransportRecord = Readonly<Record<string, unknown>>;

const transports = new Set<(record: LogTransportRecord) => void>();

/**
 * Passes the lines of the host's log to a function, without secrets.
 * @param transport - receiver of the lines; an error that it throws is ignored
 * @returns function that removes the transport
 * @deprecated Follow the log with the method `logs.tail`.
 */
export function registerLogTransport(transport: (record: LogTransportRecord) => void): () => void {
  if (transports.size === 0) subscribe(LOG_CHANNEL, passOn);
  transports.add(transport);
  return () => {
    transports.delete(transport);
    if (transports.size === 0) unsubscribe(LOG_CHANNEL, passOn);
  };
}

function passOn(line: unknown): void {
  if (typeof line !== "object" || line === null) return;
  for (const transport of transports) {
    try {
      transport({ ...line });
    } catch {
      // A line about the failure would call the transport again.
    }
  }
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
