import type { Logger } from "@openclaw/plugin-sdk";

/**
 * Returns the log of an account of a channel: each line has the channel and the account as fields.
 * @param logger - log of the host
 */
export function channelLogger(logger: Logger, channel: string, accountId: string): Logger {
  const about = { channel, accountId };
  return {
    debug: (message, fields) => logger.debug(message, { ...fields, ...about }),
    info: (message, fields) => logger.info(message, { ...fields, ...about }),
    warn: (message, fields) => logger.warn(message, { ...fields, ...about }),
    error: (message, fields) => logger.error(message, { ...fields, ...about }),
  };
}
