import type { ContextDefinition } from "../database/context-definition.js";
import { devices } from "./migrations/0026-devices.js";
import type { DeviceSchema } from "./schema.js";

/** The devices context: devices that connect with a key. */
export const DEVICES: ContextDefinition<DeviceSchema> = {
  migrations: [devices],
  retentionDays: {},
  tables: {
    devices: {
      key: ["device_id"],
      // Expired requests are removed when the next device asks; the operator decides about the others.
      retention: "kept",
      removal: "kept",
    },
  },
};
