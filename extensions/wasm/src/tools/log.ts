import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";

/** Level of a line of a component. */
type Level = "trace" | "debug" | "info" | "warn" | "error";

/** Writes a line of a component to the log of the host, which removes secrets. */
export type GuestLog = (component: string, level: Level, message: string) => void;

/**
 * Returns the log of components (WASM-022).
 * @param logger - logger of the plugin
 * @param redact - removes secrets
 */
export function guestLog(logger: Logger, redact: (value: unknown) => unknown): GuestLog {
  return (component, level, message) => {
    const name = level === "trace" ? "debug" : level;
    logger[name](String(redact(message)), { component });
  };
}
