import type { MethodCaller } from "@openclaw/protocol";
import {
  type DeviceChallengeResult,
  type DeviceProof,
  deviceChallengeParamsSchema,
} from "@openclaw/protocol/device";
import { InvalidRequestError, parameterIssues, validatorOf } from "@openclaw/protocol/registry";
import type { Challenge } from "../devices/challenges.js";
import type { DeviceAccess, DeviceClient } from "../devices/device-access.js";
import { deviceIdOf } from "../devices/device-id.js";
import { DEVICE_RULES } from "../devices/rules.js";
import { HandshakeError } from "../errors.js";

const challengeParams = validatorOf(deviceChallengeParamsSchema);

/** Identifies devices by their keys. */
export type DeviceAuthenticator = Pick<DeviceAccess, "challenge" | "authenticate">;

/** The challenge of one connection, which is answered once (HOST-023). */
export class DeviceHandshake {
  readonly #devices: DeviceAuthenticator;
  readonly #client: DeviceClient;
  #device: { readonly id: string; readonly name: string } | undefined;
  #challenge: Challenge | undefined;

  /**
   * @param devices - identifies devices
   * @param client - address and host of the connection
   */
  constructor(devices: DeviceAuthenticator, client: DeviceClient) {
    this.#devices = devices;
    this.#client = client;
  }

  /** ID of the device that has asked for a challenge. */
  get deviceId(): string | undefined {
    return this.#device?.id;
  }

  /**
   * Creates the challenge of the connection.
   * @param params - parsed JSON
   * @throws InvalidRequestError, RateLimitedError
   * @throws HandshakeError when the connection has one already
   */
  start(params: unknown): DeviceChallengeResult {
    if (!challengeParams().Check(params)) {
      const issues = parameterIssues(deviceChallengeParamsSchema, params);
      throw new InvalidRequestError("device.challenge", issues);
    }
    if (this.#device !== undefined) {
      throw new HandshakeError("a connection has one challenge; open another one for the next");
    }
    this.#challenge = this.#devices.challenge(params, this.#client);
    const deviceId = deviceIdOf(params.publicKey);
    this.#device = { id: deviceId, name: params.name };
    const { challengeMs: expiresInMs } = DEVICE_RULES;
    return { challenge: this.#challenge.value, expiresInMs, deviceId };
  }

  /**
   * Returns the caller that the device is. The challenge is used up, whatever the outcome.
   * @param proof - answer to the challenge
   * @throws what {@link DeviceAccess.authenticate} throws
   */
  authenticate(proof: DeviceProof): Promise<MethodCaller> {
    const challenge = this.#challenge;
    this.end();
    const { name = "" } = this.#device ?? {};
    return this.#devices.authenticate(proof, { name, challenge }, this.#client);
  }

  /** Ends the challenge. */
  end(): void {
    this.#challenge?.end();
    this.#challenge = undefined;
  }
}
