import { randomUUID } from "node:crypto";
import type { Logger } from "@openclaw/plugin-sdk";
import { InternalError } from "../errors.js";

/**
 * Logs an unexpected failure under a new id and returns the error that a caller may see, which has the id
 * and nothing of the failure (GW-021).
 * @param error - what was thrown
 * @param logger - receives the failure with its stack
 */
export function internalError(error: unknown, logger: Logger): InternalError {
  const errorId = randomUUID();
  logger.error("a request failed", { errorId, error });
  return new InternalError(errorId);
}
