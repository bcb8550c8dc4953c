import { defined } from "@openclaw/foundation";
import type { DeviceSummary, MethodCaller } from "@openclaw/protocol";
import {
  DEVICE_SCOPES,
  deviceFingerprint,
  FINGERPRINT_DIGITS,
  isDeviceName,
} from "@openclaw/protocol/device";
import type { Device, DeviceDecision, Store } from "@openclaw/store";
import type { AuditEvent } from "@openclaw/store/decisions";
import { actorOf, operatorOf } from "./audit-actor.js";
import { DeviceNameError, DeviceNotFoundError, DeviceStateError } from "./errors.js";

/** Rights of a device whose approval names none. */
const DEFAULT_SCOPES = ["operator.read", "operator.write"] as const;
/** Time in milliseconds for which a rejected device cannot ask again. */
const REJECTED_MS = 24 * 60 * 60_000;

/** Connections of paired devices. */
export interface DeviceConnections {
  /** Returns true while a device has a connection. */
  hasDevice(deviceId: string): boolean;
  /** Closes the connections of a revoked device. */
  revokeDevice(deviceId: string): void;
}

/** Dependencies of {@link DeviceAdministration}. */
export interface DeviceAdministrationDependencies {
  readonly store: Pick<Store, "devices" | "transaction">;
  /** Returns the connections of the listener; undefined without one. */
  connections(): DeviceConnections | undefined;
}

/** An audited change of a device. */
interface DeviceChange {
  readonly event: AuditEvent;
  readonly deviceId: string;
  /** Rights, or the new name. */
  readonly reason?: string | undefined;
}

/** Decisions of the operator about devices, each with its entry in the audit log (HOST-023). */
export class DeviceAdministration {
  readonly #dependencies: DeviceAdministrationDependencies;

  /** @param dependencies - stored devices and their connections */
  constructor(dependencies: DeviceAdministrationDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns every device, those that wait first. */
  async list(): Promise<readonly DeviceSummary[]> {
    const devices = await this.#dependencies.store.devices.list();
    return devices.map((device) => this.#summary(device));
  }

  /**
   * Lets a device connect.
   * @param reference - code or ID
   * @param scopes - rights of the device
   * @param caller - operator
   * @throws DeviceNotFoundError
   * @throws DeviceStateError when it is approved already
   */
  async approve(
    reference: string,
    scopes: DeviceSummary["scopes"] = DEFAULT_SCOPES,
    caller: MethodCaller,
  ): Promise<DeviceSummary> {
    const problem = "is approved already; revoke it first to approve it with other rights";
    const from = ["waiting", "rejected", "revoked"] as const;
    return await this.#decide(reference, { to: "approved", from, scopes }, { caller, problem });
  }

  /**
   * Rejects the request of a device.
   * @param reference - code or ID
   * @param caller - operator
   * @throws DeviceNotFoundError
   * @throws DeviceStateError when it does not wait
   */
  async reject(reference: string, caller: MethodCaller): Promise<DeviceSummary> {
    const problem = "does not wait for an approval; revoke an approved one";
    const decision = { to: "rejected", from: ["waiting"], keptMs: REJECTED_MS } as const;
    return await this.#decide(reference, decision, { caller, problem });
  }

  /**
   * Closes the connections of a device, and rejects its further ones.
   * @param reference - code or ID
   * @param caller - operator
   * @throws DeviceNotFoundError
   * @throws DeviceStateError when it is not approved
   */
  async revoke(reference: string, caller: MethodCaller): Promise<DeviceSummary> {
    const problem = "is not approved; reject a waiting one";
    const decision = { to: "revoked", from: ["approved"] } as const;
    const revoked = await this.#decide(reference, decision, { caller, problem });
    // After the commit: a connection that is opened meanwhile finds the revocation, or is closed here.
    this.#dependencies.connections()?.revokeDevice(revoked.deviceId);
    return { ...revoked, isConnected: false };
  }

  /**
   * Changes the name of a device.
   * @param reference - code or ID
   * @param name - new name
   * @param caller - operator
   * @throws DeviceNotFoundError, DeviceNameError
   */
  async rename(reference: string, name: string, caller: MethodCaller): Promise<DeviceSummary> {
    if (!isDeviceName(name)) throw new DeviceNameError();
    const { deviceId } = await this.#find(reference);
    const renamed = await this.#dependencies.store.transaction(async (unit) => {
      const device = await unit.devices.rename(deviceId, name);
      if (device === undefined) throw new DeviceNotFoundError(reference);
      await audit(unit, caller, { event: "device-renamed", deviceId, reason: name });
      return device;
    });
    return this.#summary(renamed);
  }

  async #decide(
    reference: string,
    decision: Omit<DeviceDecision, "by">,
    { caller, problem }: { readonly caller: MethodCaller; readonly problem: string },
  ): Promise<DeviceSummary> {
    const { deviceId } = await this.#find(reference);
    const decided = await this.#dependencies.store.transaction(async (unit) => {
      const by = operatorOf(caller);
      const device = await unit.devices.decide(deviceId, { ...decision, by });
      if (device === undefined) throw new DeviceStateError(deviceFingerprint(deviceId), problem);
      const reason = decision.scopes?.join(" ");
      await audit(unit, caller, { event: `device-${decision.to}`, deviceId, reason });
      return device;
    });
    return this.#summary(decided);
  }

  async #find(reference: string): Promise<Device> {
    const code = reference.trim().toUpperCase();
    const digits = reference.replace(/[-:\s]/g, "").toLowerCase();
    const isId = digits.length >= FINGERPRINT_DIGITS && /^[0-9a-f]+$/.test(digits);
    const devices = await this.#dependencies.store.devices.list();
    const found = devices.filter((device) =>
      isId ? device.deviceId.startsWith(digits) : device.code === code,
    );
    const [device] = found;
    // Two devices with the same first digits are not told apart by them.
    if (device === undefined || found.length > 1) throw new DeviceNotFoundError(reference);
    return device;
  }

  #summary({ publicKey: _, ...device }: Device): DeviceSummary {
    const { deviceId, scopes } = device;
    return defined({
      ...device,
      fingerprint: deviceFingerprint(deviceId),
      scopes: DEVICE_SCOPES.filter((scope) => scopes.includes(scope)),
      isConnected: this.#dependencies.connections()?.hasDevice(deviceId) === true,
    });
  }
}

async function audit(
  { decisions }: Pick<Store, "decisions">,
  caller: MethodCaller,
  change: DeviceChange,
): Promise<void> {
  await decisions.auditLog.append({ ...change, ...actorOf(caller) });
}
