import { type Log, LogRedaction } from "@openclaw/gateway";
import type { Logger } from "@openclaw/plugin-sdk";

/** One line that the host or a plugin logged. */
export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  /** Part of the host that wrote it; lines of plugins come from `plugins`. */
  readonly subsystem: string;
  readonly message: string;
  /** Lines of a plugin carry its `pluginId`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A log in memory. */
export interface RecordedLog extends Log {
  readonly lines: readonly LogLine[];
}

/** Creates a log that keeps its lines, of every level. */
export function createRecordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  const redaction = new LogRedaction();
  return {
    lines,
    logger(subsystem, bindings = {}): Logger {
      const write =
        (level: LogLine["level"]) =>
        (message: string, fields: Record<string, unknown> = {}) => {
          lines.push({ level, subsystem, message, fields: { ...bindings, ...fields } });
        };
      return {
        debug: write("debug"),
        info: write("info"),
        warn: write("warn"),
        error: write("error"),
      };
    },
    redactWith: (rules) => redaction.use(rules),
    redact: (value) => redaction.value(value),
    findSecrets: (text) => redaction.secrets(text),
    setLevels: () => undefined,
    onLine: () => () => undefined,
    unwritten: () => [],
    close: () => undefined,
  };
}
