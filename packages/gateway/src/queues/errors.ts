import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** No work that failed for good has the given ID (SCALE-014). */
export class QueueItemNotFoundError extends OpenClawError {
  static override readonly code = "QUEUE_ITEM_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param id - ID from the operator */
  constructor(id: string) {
    super(
      `no failed work has the ID ${JSON.stringify(id)}; it may run again already, or was discarded; \`openclaw queue dead\` lists the failed work`,
    );
  }
}
