import { randomUUID } from "node:crypto";
import type { Logger } from "@openclaw/plugin-sdk";
import { InternalError } from "../errors.js";

/**
 * Logs an unexpected failure under a new ID, and returns the error for the caller, which contains only the ID
 * (GW-021).
 * @param logger - receives the failure with its stack
 */
export function internalError(error: unknown, logger: Logger): InternalError {
  const errorId = randomUUID();
  logger.error("a request failed", { errorId, error });
  return new InternalError(errorId);
}
