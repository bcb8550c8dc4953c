import { randomInt } from "node:crypto";
import { type Clock, Mutex } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MethodCaller } from "@openclaw/protocol";
import {
  DEVICE_SCOPES,
  type DeviceChallengeParams,
  type DeviceProof,
  deviceCallerId,
  deviceFingerprint,
  isDeviceName,
} from "@openclaw/protocol/device";
import { InvalidRequestError } from "@openclaw/protocol/registry";
import type { Device, Store } from "@openclaw/store";
import { networkOf } from "../access/client-address.js";
import type { FailedAttempts } from "../access/failed-attempts.js";
import { type Challenge, Challenges } from "./challenges.js";
import { deviceIdOf } from "./device-id.js";
import {
  DevicePairingFullError,
  DeviceProofError,
  DeviceRejectedError,
  DeviceRevokedError,
  DeviceWaitingError,
} from "./errors.js";
import { proofProblem } from "./proof.js";
import { DEVICE_RULES } from "./rules.js";

/** Letters and digits that are not mistaken for each other. */
const CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 8;

/** Dependencies of {@link DeviceAccess}. */
export interface DeviceAccessDependencies {
  readonly store: { readonly devices: Pick<Store["devices"], "admit"> };
  /** Failed attempts of addresses, also those with tokens. */
  readonly failures: Pick<FailedAttempts, "check" | "fail">;
  /** Monotonic clock. */
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
}

/** Client that presents a key. */
export interface DeviceClient {
  /** IP address, without a port. */
  readonly address: string;
  /** Header `Host` of its request. */
  readonly host: string;
}

/** Identifies devices by their keys, and stores the requests of unknown ones for the operator (HOST-023). */
export class DeviceAccess {
  readonly #dependencies: DeviceAccessDependencies;
  readonly #challenges: Challenges;
  /** One admission at a time, so that the limits of waiting devices are exact. */
  readonly #admission = new Mutex();

  /** @param dependencies - stored devices, failed attempts, clock and log */
  constructor(dependencies: DeviceAccessDependencies) {
    this.#dependencies = dependencies;
    this.#challenges = new Challenges(dependencies.clock);
  }

  /**
   * Creates the challenge of a connection.
   * @param params - key and name of the device
   * @param client - address of the client
   * @throws InvalidRequestError when the name has other characters than a line of text
   * @throws RateLimitedError when the address is blocked, or asks too often
   */
  challenge({ publicKey, name }: DeviceChallengeParams, { address }: DeviceClient): Challenge {
    if (!isDeviceName(name)) {
      throw new InvalidRequestError("device.challenge", [
        { path: "/name", message: "must be one line of visible characters" },
      ]);
    }
    this.#dependencies.failures.check(address);
    return this.#challenges.create(publicKey, address);
  }

  /**
   * Returns the caller that an approved device is.
   * @param proof - answer to the challenge
   * @param device - name of the device, and the challenge of its connection; it must not be used again
   * @param client - address and host of the client
   * @throws DeviceProofError when it does not have the key, which counts as a failed attempt
   * @throws DeviceWaitingError, DeviceRejectedError, DeviceRevokedError, DevicePairingFullError
   */
  async authenticate(
    proof: DeviceProof,
    { name, challenge }: { readonly name: string; readonly challenge: Challenge | undefined },
    { address, host }: DeviceClient,
  ): Promise<MethodCaller> {
    const { failures, clock, logger, store } = this.#dependencies;
    failures.check(address);
    const problem = proofProblem(proof, { challenge, host, now: clock.now() });
    if (problem !== undefined) {
      if (problem !== "expired-challenge") failures.fail(address);
      const via = "websocket";
      logger.warn("authentication failed", { address, via, reason: problem });
      throw new DeviceProofError(problem);
    }
    const { publicKey } = proof;
    const deviceId = deviceIdOf(publicKey);
    const contact = { deviceId, publicKey, name, address, network: networkOf(address) };
    const admission = await this.#admission.run(() =>
      store.devices.admit(contact, deviceCode(), DEVICE_RULES),
    );
    if (admission.outcome === "full") {
      logger.warn("a device cannot ask to be paired, because too many others wait", {
        ...{ code: DevicePairingFullError.code, address },
      });
      throw new DevicePairingFullError(60_000);
    }
    if (admission.outcome === "created") {
      logger.info("a device asks to be paired: openclaw devices list", { deviceId, address });
    }
    return callerOf(admission.device);
  }
}

function callerOf({ deviceId, state, scopes, code, expiresAt }: Device): MethodCaller {
  switch (state) {
    case "approved": {
      const rights = DEVICE_SCOPES.filter((scope) => scopes.includes(scope));
      return { id: deviceCallerId(deviceId), scopes: rights, via: "websocket" };
    }
    case "waiting": {
      const request = { deviceId, code: code ?? "", expiresAt: expiresAt ?? 0 };
      throw new DeviceWaitingError(request, DEVICE_RULES.retryMs);
    }
    case "rejected":
      throw new DeviceRejectedError(deviceFingerprint(deviceId));
    case "revoked":
      throw new DeviceRevokedError(deviceFingerprint(deviceId));
  }
}

function deviceCode(): string {
  const character = () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length));
  return Array.from({ length: CODE_LENGTH }, character).join("");
}
