import { GatewayRefusedError } from "@openclaw/client";

/** Failure of a call, as it is shown next to the control that caused it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** ID of the request in the log of the gateway. */
  readonly requestId?: string | undefined;
}

/** Returns what a person is told about an error. */
export function faultOf(error: unknown): Fault {
  if (GatewayRefusedError.isInstance(error)) {
    const { code, message, requestId } = error;
    return { code, message, requestId };
  }
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
    return { code, message: error.message };
  }
  return { code: "UNKNOWN", message: String(error) };
}
