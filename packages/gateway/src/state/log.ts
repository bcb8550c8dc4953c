import type { Logger } from "@openclaw/plugin-sdk";
import { redactLogFields, redactLogText } from "@openclaw/safety";
import { type LevelWithSilent, pino, stdSerializers } from "pino";

/** How much the log holds. */
export type LogLevel = LevelWithSilent;

/** A log file that can be closed. */
export interface Log {
  /** The logger of a part of the host. */
  logger(subsystem: string, bindings?: Record<string, unknown>): Logger;
  /** Ends the file; what is logged afterwards, by a plugin that outlives its host, is dropped. */
  close(): void;
}

/**
 * Opens the host's log: one JSON object a line, none of which holds a secret (GW-048, SAFE-055).
 * @param file - appended to; undefined keeps no log
 * @param level - lines below it are dropped
 */
export function openLog(file: string | undefined, level: LogLevel): Log {
  if (file === undefined) return { logger: () => silentLogger, close: () => undefined };
  const destination = pino.destination({ dest: file, mkdir: true, sync: true, mode: 0o600 });
  // A log that cannot be written, on a full disk for example, must not end the host.
  destination.on("error", ({ message }: Error) => {
    if (!failed) process.stderr.write(`openclaw: the log ${file} cannot be written: ${message}\n`);
    failed = true;
  });
  let failed = false;
  const root = pino({ level, base: null }, destination);
  let open = true;
  return {
    logger(subsystem, bindings = {}) {
      const lines = root.child({ subsystem, ...bindings });
      const taken = new Set(["level", "time", "msg", "subsystem", ...Object.keys(bindings)]);
      const write =
        (severity: keyof Logger): Logger["info"] =>
        (message, fields = {}) => {
          if (open) lines[severity](asJson(fields, taken), redactLogText(message));
        };
      return {
        debug: write("debug"),
        info: write("info"),
        warn: write("warn"),
        error: write("error"),
      };
    },
    close() {
      if (open) destination.end();
      open = false;
    },
  };
}

/**
 * Fields as a line holds them, without secrets by name or form (SAFE-055, SAFE-056). An Error has no enumerable fields, so as JSON it would be empty; and
 * a field with a name of the line's own would make a second key of that name.
 */
function asJson(
  fields: Record<string, unknown>,
  taken: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      taken.has(key) ? `${key}_` : key,
      redactField(key, value instanceof Error ? stdSerializers.err(value) : value),
    ]),
  );
}

function redactField(key: string, value: unknown): unknown {
  const redacted = redactLogFields({ [key]: value });
  return typeof redacted === "object" && redacted !== null ? Reflect.get(redacted, key) : redacted;
}

const ignore = () => undefined;
const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
