import { OpenClawError } from "@openclaw/foundation/errors";

/** Error for a gateway that was restarted and did not become ready. */
export class GatewayNotRestartedError extends OpenClawError {
  static override readonly code = "GATEWAY_NOT_RESTARTED";
  static override readonly kind = "unavailable";

  /**
   * @param pid - ID of the process before the restart
   * @param waitedMs - time that was waited, in milliseconds
   */
  constructor(
    readonly pid: number,
    waitedMs: number,
  ) {
    super(
      `the gateway (process ${pid} before the restart) did not become ready within ${waitedMs / 1000} s; see \`openclaw gateway status\` and \`openclaw logs\``,
    );
  }
}
