import { deviceMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import {
  DeviceAdministration,
  type DeviceAdministrationDependencies,
} from "../devices/administration.js";

/**
 * Creates the methods of paired devices (HOST-023).
 * @param dependencies - stored devices and their connections
 */
export function createDeviceMethods(
  dependencies: DeviceAdministrationDependencies,
): MethodRegistry<typeof deviceMethods> {
  const devices = new DeviceAdministration(dependencies);
  return MethodRegistry.of(deviceMethods, {
    "devices.list": async () => ({ devices: await devices.list() }),
    "devices.approve": ({ device, scopes }, { caller }) => devices.approve(device, scopes, caller),
    "devices.reject": ({ device }, { caller }) => devices.reject(device, caller),
    "devices.revoke": ({ device }, { caller }) => devices.revoke(device, caller),
    "devices.rename": ({ device, name }, { caller }) => devices.rename(device, name, caller),
  });
}
