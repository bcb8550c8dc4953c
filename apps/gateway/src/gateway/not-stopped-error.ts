import { OpenClawError } from "@openclaw/foundation/errors";

/** Error for a gateway that was asked to stop and is still running. */
export class GatewayNotStoppedError extends OpenClawError {
  static override readonly code = "GATEWAY_NOT_STOPPED";
  static override readonly kind = "busy";

  /**
   * @param pid - ID of the process
   * @param waitedMs - time that was waited, in milliseconds
   */
  constructor(
    readonly pid: number,
    waitedMs: number,
  ) {
    super(
      `the gateway (process ${pid}) did not stop within ${waitedMs / 1000} s; kill it with \`kill -9 ${pid}\`, stored data is not lost`,
    );
  }
}
