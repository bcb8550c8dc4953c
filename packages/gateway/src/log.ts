import type { Logger } from "@openclaw/plugin-sdk";
import { type LevelWithSilent, pino } from "pino";

/** How much the log holds. */
export type LogLevel = LevelWithSilent;

/** A log file that can be closed. */
export interface Log {
  /** The logger of a part of the host. */
  logger(subsystem: string, bindings?: Record<string, unknown>): Logger;
  /** Writes what is buffered. */
  close(): void;
}

/**
 * Opens the host's log: one JSON object a line (GW-048).
 * @param file - appended to; undefined keeps no log
 * @param level - lines below it are dropped
 */
export function openLog(file: string | undefined, level: LogLevel): Log {
  if (file === undefined) return { logger: () => silentLogger, close: () => undefined };
  const destination = pino.destination({ dest: file, mkdir: true, sync: true, mode: 0o600 });
  const root = pino({ level, base: null }, destination);
  return {
    logger(subsystem, bindings = {}) {
      const lines = root.child({ subsystem, ...bindings });
      return {
        debug: (message, fields = {}) => lines.debug(fields, message),
        info: (message, fields = {}) => lines.info(fields, message),
        warn: (message, fields = {}) => lines.warn(fields, message),
        error: (message, fields = {}) => lines.error(fields, message),
      };
    },
    close: () => destination.end(),
  };
}

const ignore = () => undefined;
const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
