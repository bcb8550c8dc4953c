import { OpenClawError } from "@openclaw/foundation";
import { DEVICE_NAME_LENGTH, FINGERPRINT_DIGITS } from "@openclaw/protocol/device";

/** No device has a code or an ID (HOST-023). */
export class DeviceNotFoundError extends OpenClawError {
  static override readonly code = "DEVICE_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param reference - code or ID from the operator */
  constructor(reference: string) {
    super(
      `no device has the code or fingerprint ${JSON.stringify(reference)}; give the code, or at least the first ${FINGERPRINT_DIGITS} digits of the fingerprint, from \`openclaw devices list\``,
    );
  }
}

/** A decision about a device is not possible in its state (HOST-023). */
export class DeviceStateError extends OpenClawError {
  static override readonly code = "DEVICE_STATE";
  static override readonly kind = "conflict";

  /**
   * @param fingerprint - fingerprint of the device
   * @param problem - state of the device, and the next step
   */
  constructor(fingerprint: string, problem: string) {
    super(`the device ${fingerprint} ${problem}`);
  }
}

/** The name of a device has other characters than a line of text. */
export class DeviceNameError extends OpenClawError {
  static override readonly code = "DEVICE_NAME";
  static override readonly kind = "invalid";

  constructor() {
    super(
      `the name of a device must be one line of 1 to ${DEVICE_NAME_LENGTH} visible characters; choose another name`,
    );
  }
}

/** A paired device asked for a ticket (HOST-023). */
export class DeviceTicketError extends OpenClawError {
  static override readonly code = "DEVICE_TICKET";
  static override readonly kind = "forbidden";

  constructor() {
    super(
      "a paired device gets no tickets, because a revocation could not close what they open; receive events over its WebSocket",
    );
  }
}
