import { channel } from "node:diagnostics_channel";
import type { LoggingSection } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { RuleSet, SecretPlace } from "@openclaw/safety";
import { type LevelWithSilent, pino, stdSerializers } from "pino";
import { readLogLine } from "./log-line.js";
import { LogRedaction } from "./log-redaction.js";
import { type LogLine, RecentLines } from "./recent-lines.js";
import { ROTATION_LIMITS, RotatingFile, type RotationLimits } from "./rotating-file.js";
import { TurnFields } from "./turn-fields.js";

/** Channel of Node with the lines of the log, for plugins that ship logs. */
const LOG_CHANNEL = "openclaw.log";

/** Minimum level of logged lines. */
export type LogLevel = LevelWithSilent;

/** Parts of the host that log with their own names. */
export const LOG_SUBSYSTEMS = [
  ...["approvals", "gateway", "log", "models", "plugins", "replay", "skills"],
] as const;

/** One of {@link LOG_SUBSYSTEMS}. */
export type LogSubsystem = (typeof LOG_SUBSYSTEMS)[number];

/** Minimum levels of a log. */
export interface LogLevels {
  readonly level: LogLevel;
  /** Levels of single subsystems, which replace `level`, for example `plugins`. */
  readonly levels?: Readonly<Record<string, LogLevel>> | undefined;
}

/** A log file that can be closed. */
export interface Log {
  /** Returns the logger of a part of the host. */
  logger(subsystem: LogSubsystem, bindings?: Record<string, unknown>): Logger;
  /**
   * Redacts later lines with the rules in force, also those that were added; until then the built-in
   * rules apply.
   * @param rules - returns the rules in force, or undefined while none are compiled
   */
  redactWith(rules: () => RuleSet | undefined): void;
  /**
   * Returns a value without secrets, by the rules of the lines.
   * @param value - any value; it is not modified
   */
  redact(value: unknown): unknown;
  /** Returns the places of the secrets in a text, by the rules of the lines. */
  findSecrets(text: string): readonly SecretPlace[];
  /**
   * Changes the minimum levels, also of loggers that exist.
   * @param levels - levels from now on
   */
  setLevels(levels: LogLevels): void;
  /**
   * Calls a listener for each line that is written from now on.
   * @param listener - receives the line without secrets; it must not log
   * @returns function that ends the calls
   */
  onLine(listener: (line: LogLine) => void): () => void;
  /** Returns those of the newest 512 lines that could not be written to the file, oldest first (HOST-039). */
  unwritten(): readonly LogLine[];
  /** Closes the file; later lines, for example of a plugin that outlives its host, are dropped. */
  close(): void;
}

/** Further settings of a log. */
export interface LogSettings {
  /** Size and number of files. */
  readonly limits?: RotationLimits | undefined;
  /**
   * Also receives each line, `--log-stdout`.
   * @param text - line with its line break
   */
  readonly output?: ((text: string) => void) | undefined;
}

/**
 * Opens the log of a host: one JSON object per line, without secrets (GW-048, SAFE-055). While the file cannot be
 * written, for example on a full disk, lines are lost in the file; they are still shown to those who follow
 * the log, and their number is logged as soon as the file can be written again.
 * @param file - path of the file to append to; undefined keeps no log
 * @param levels - minimum levels; lines below them are dropped
 * @param settings - files and output
 * @throws the error of the file system when the file cannot be opened
 */
export function openLog(
  file: string | undefined,
  levels: LogLevels,
  { limits = ROTATION_LIMITS, output }: LogSettings = {},
): Log {
  const redaction = new LogRedaction();
  const redacting: Pick<Log, "redactWith" | "redact" | "findSecrets"> = {
    redactWith: (rules) => redaction.use(rules),
    redact: (value) => redaction.value(value),
    findSecrets: (text) => redaction.secrets(text),
  };
  if (file === undefined) {
    return {
      ...redacting,
      logger: () => silentLogger,
      setLevels: ignore,
      onLine: () => ignore,
      unwritten: () => [],
      close: ignore,
    };
  }
  let lost = 0;
  let isReported = false;
  // A log that cannot be written must not end the host.
  const onFailure = (problem: unknown) => {
    if (isReported) return;
    process.stderr.write(`openclaw: cannot write the log ${file}: ${errorMessage(problem)}\n`);
    isReported = true;
  };
  const destination = new RotatingFile(file, onFailure, limits);
  const recent = new RecentLines();
  const listeners = new Set<(line: LogLine) => void>();
  const write = (text: string) => {
    const isWritten = destination.write(text);
    recent.add(text, isWritten);
    output?.(text);
    if (!isWritten) lost += 1;
    else if (lost > 0) reportLost();
    if (listeners.size === 0 && !lines.hasSubscribers) return;
    const line = readLogLine(text);
    if (line === undefined) return;
    for (const listener of listeners) listener(line);
    lines.publish(line);
  };
  const lines = channel(LOG_CHANNEL);
  const root = pino({ level: "trace", base: null }, { write });
  const reportLost = () => {
    const fields = { subsystem: "log", code: "LOG_LINES_LOST", lines: lost };
    const count = lost === 1 ? "1 line" : `${lost} lines`;
    lost = 0;
    isReported = false;
    root.warn(fields, `${count} of the log could not be written and are not in the file`);
  };
  let minimum = levels;
  const levelOf = (subsystem: LogSubsystem) => {
    const { level, levels: own = {} } = minimum;
    return own[subsystem] ?? level;
  };
  let open = true;
  const turns = new TurnFields();
  return {
    ...redacting,
    logger(subsystem, bindings = {}) {
      const child = root.child({ subsystem, ...bindings });
      const taken = new Set(["level", "time", "msg", "subsystem", ...Object.keys(bindings)]);
      const writer =
        (severity: keyof Logger): Logger["info"] =>
        (message, fields = {}) => {
          if (!open || !isLogged(severity, levelOf(subsystem))) return;
          const line = turns.with(asJson(fields, taken, redaction), bindings);
          child[severity](line, redaction.text(message));
        };
      return {
        debug: writer("debug"),
        info: writer("info"),
        warn: writer("warn"),
        error: writer("error"),
      };
    },
    setLevels(changed) {
      minimum = changed;
    },
    onLine(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    unwritten: () => recent.unwritten(),
    close() {
      if (open) destination.close();
      open = false;
      turns.close();
    },
  };
}

/**
 * Returns fields in their form in a line, without secrets by name or form (SAFE-055, SAFE-056). An Error has
 * no enumerable fields and would be empty as JSON; a field with the name of one of the line's own keys is
 * renamed.
 */
function asJson(
  fields: Record<string, unknown>,
  taken: ReadonlySet<string>,
  redaction: LogRedaction,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      taken.has(key) ? `${key}_` : key,
      redactField(key, value instanceof Error ? stdSerializers.err(value) : value, redaction),
    ]),
  );
}

function redactField(key: string, value: unknown, redaction: LogRedaction): unknown {
  const redacted = redaction.value({ [key]: value });
  return typeof redacted === "object" && redacted !== null ? Reflect.get(redacted, key) : redacted;
}

function isLogged(severity: keyof Logger, minimum: LogLevel): boolean {
  if (minimum === "silent") return false;
  const { values } = pino.levels;
  return (values[severity] ?? 0) >= (values[minimum] ?? 0);
}

/**
 * Returns the levels of the section `logging`.
 * @param section - the section, if there is one
 * @param chosen - level of the command line, `--log-level`, which replaces that of the section
 */
export function logLevels(
  { level = "info", levels }: LoggingSection = {},
  chosen?: LogLevel,
): LogLevels {
  return { level: chosen ?? level, levels };
}

const ignore = () => undefined;
const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
