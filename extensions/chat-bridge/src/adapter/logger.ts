import type { Logger } from "@openclaw/plugin-sdk/plugin-entry";
import type { Logger as AdapterLogger } from "chat";

/** Log of an adapter, as lines of the host's log. What adapters call information is detail for an operator. */
export class BridgeLogger implements AdapterLogger {
  readonly #logger: Logger;
  readonly #prefix: string;
  readonly #problem: { last: unknown };

  /**
   * @param logger - log of the channel
   * @param prefix - prefix of the lines
   * @param problem - holds the last logged error; shared with the loggers that `child` creates
   */
  constructor(logger: Logger, prefix = "", problem: { last: unknown } = { last: undefined }) {
    this.#logger = logger;
    this.#prefix = prefix;
    this.#problem = problem;
  }

  /** Error of the last warning; adapters log failures of their start and continue. */
  get lastProblem(): unknown {
    return this.#problem.last;
  }

  child(prefix: string): BridgeLogger {
    return new BridgeLogger(this.#logger, `${this.#prefix}${prefix}: `, this.#problem);
  }

  debug(message: string, ...details: unknown[]): void {
    this.#logger.debug(this.#prefix + message, fieldsOf(details));
  }

  info(message: string, ...details: unknown[]): void {
    this.debug(message, ...details);
  }

  warn(message: string, ...details: unknown[]): void {
    this.#note(details);
    this.#logger.warn(this.#prefix + message, fieldsOf(details));
  }

  error(message: string, ...details: unknown[]): void {
    this.#note(details);
    this.#logger.error(this.#prefix + message, fieldsOf(details));
  }

  #note(details: readonly unknown[]): void {
    for (const detail of details) {
      if (detail instanceof Error) this.#problem.last = detail;
      else if (isFields(detail) && "error" in detail) this.#problem.last = detail.error;
    }
  }
}

function fieldsOf(details: readonly unknown[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const detail of details) {
    if (detail instanceof Error) fields.error = detail.message;
    else if (isFields(detail)) {
      for (const [key, value] of Object.entries(detail)) {
        fields[key] = value instanceof Error ? value.message : value;
      }
    } else fields.detail = detail;
  }
  return fields;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
