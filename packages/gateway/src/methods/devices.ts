import { defined } from "@openclaw/foundation";
import {
  DEVICE_SCOPES,
  type DeviceSummary,
  deviceFingerprint,
  deviceMethods,
  FINGERPRINT_DIGITS,
  isDeviceName,
  type MethodCaller,
  OPERATOR_CALL,
} from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Device, DeviceDecision, Store } from "@openclaw/store";
import type { AuditEvent } from "@openclaw/store/decisions";
import { DeviceNameError, DeviceNotFoundError, DeviceStateError } from "../devices/errors.js";

/** Rights of a device whose approval names none. */
const DEFAULT_SCOPES = ["operator.read", "operator.write"] as const;
/** Time in milliseconds for which a rejected device cannot ask again. */
const REJECTED_MS = 24 * 60 * 60_000;

/** Connections of paired devices. */
export interface DeviceConnections {
  /**
   * Returns true while a device has a connection.
   * @param deviceId - ID of the device
   */
  hasDevice(deviceId: string): boolean;
  /**
   * Closes the connections of a revoked device.
   * @param deviceId - ID of the device
   */
  revokeDevice(deviceId: string): void;
}

/** Dependencies of {@link createDeviceMethods}. */
export interface DeviceMethodDependencies {
  readonly store: Pick<Store, "devices" | "transaction">;
  /** Returns the connections of the listener; undefined without one. */
  connections(): DeviceConnections | undefined;
}

/**
 * Creates the methods of paired devices (HOST-023).
 * @param dependencies - stored devices and their connections
 */
export function createDeviceMethods({
  store,
  connections,
}: DeviceMethodDependencies): MethodRegistry<typeof deviceMethods> {
  const summary = (device: Device): DeviceSummary => {
    const { deviceId, publicKey: _, scopes, ...facts } = device;
    return defined({
      ...facts,
      deviceId,
      fingerprint: deviceFingerprint(deviceId),
      scopes: DEVICE_SCOPES.filter((scope) => scopes.includes(scope)),
      isConnected: connections()?.hasDevice(deviceId) === true,
    });
  };

  async function find(reference: string): Promise<Device> {
    const code = reference.trim().toUpperCase();
    const digits = reference.replace(/[-:\s]/g, "").toLowerCase();
    const isId = digits.length >= FINGERPRINT_DIGITS && /^[0-9a-f]+$/.test(digits);
    const found = (await store.devices.list()).filter((device) =>
      isId ? device.deviceId.startsWith(digits) : device.code === code,
    );
    const [device] = found;
    // Two devices with the same 16 digits are not told apart by them.
    if (device === undefined || found.length > 1) throw new DeviceNotFoundError(reference);
    return device;
  }

  /** Stores a decision together with its entry in the audit log. */
  async function decide(
    { deviceId }: Device,
    caller: MethodCaller,
    decision: Omit<DeviceDecision, "by">,
  ): Promise<Device | undefined> {
    return await store.transaction(async (unit) => {
      const decided = await unit.devices.decide(deviceId, { ...decision, by: operatorOf(caller) });
      if (decided !== undefined) {
        const reason = decision.scopes === undefined ? undefined : decision.scopes.join(" ");
        await audit(unit, caller, { event: `device-${decision.to}`, deviceId, reason });
      }
      return decided;
    });
  }

  return MethodRegistry.of(deviceMethods, {
    "devices.list": async () => ({ devices: (await store.devices.list()).map(summary) }),
    "devices.approve": async ({ device: reference, scopes = DEFAULT_SCOPES }, { caller }) => {
      const device = await find(reference);
      const from = ["waiting", "rejected", "revoked"] as const;
      const decided = await decide(device, caller, { to: "approved", from, scopes });
      if (decided !== undefined) return summary(decided);
      const problem = "is approved already; revoke it first to approve it with other rights";
      throw new DeviceStateError(deviceFingerprint(device.deviceId), problem);
    },
    "devices.reject": async ({ device: reference }, { caller }) => {
      const device = await find(reference);
      const from = ["waiting"] as const;
      const decided = await decide(device, caller, { to: "rejected", from, keptMs: REJECTED_MS });
      if (decided !== undefined) return summary(decided);
      const problem = "does not wait for an approval; use `openclaw devices revoke`";
      throw new DeviceStateError(deviceFingerprint(device.deviceId), problem);
    },
    "devices.revoke": async ({ device: reference }, { caller }) => {
      const device = await find(reference);
      const from = ["approved"] as const;
      const decided = await decide(device, caller, { to: "revoked", from });
      if (decided === undefined) {
        const problem = "is not approved; reject a waiting one with `openclaw devices reject`";
        throw new DeviceStateError(deviceFingerprint(device.deviceId), problem);
      }
      // After the commit: a connection that is opened meanwhile finds the revocation, or is closed here.
      connections()?.revokeDevice(device.deviceId);
      return summary(decided);
    },
    "devices.rename": async ({ device: reference, name }, { caller }) => {
      if (!isDeviceName(name)) throw new DeviceNameError();
      const { deviceId } = await find(reference);
      const renamed = await store.transaction(async (unit) => {
        const changed = await unit.devices.rename(deviceId, name);
        if (changed !== undefined) {
          await audit(unit, caller, { event: "device-renamed", deviceId, reason: name });
        }
        return changed;
      });
      if (renamed === undefined) throw new DeviceNotFoundError(reference);
      return summary(renamed);
    },
  });
}

/** Returns the name of the operator: the token of the gateway and calls in its process are the same. */
function operatorOf({ id }: MethodCaller): string {
  return id === "gateway" ? OPERATOR_CALL.caller.id : id;
}

async function audit(
  { decisions }: Pick<Store, "decisions">,
  caller: MethodCaller,
  entry: {
    readonly event: AuditEvent;
    readonly deviceId: string;
    readonly reason?: string | undefined;
  },
): Promise<void> {
  const channel = caller.via === "process" ? "cli" : caller.via;
  const actor = { channel, id: operatorOf(caller) };
  await decisions.auditLog.append({ ...entry, actor, via: channel });
}
