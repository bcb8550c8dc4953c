import { type Static, Type } from "typebox";
import { retentionConfigurationSchema } from "./retention-configuration.js";

/** The `store` section of the configuration: how durable the host's rows are, and how long they stay. */
export const storeConfigurationSchema = Type.Object(
  {
    /** As {@link OpenStoreOptions.durability}; `power` when absent. */
    durability: Type.Optional(Type.Enum(["power", "process"])),
    retention: Type.Optional(retentionConfigurationSchema),
  },
  { additionalProperties: false },
);

/** The `store` section as its file gives it. */
export type StoreConfiguration = Static<typeof storeConfigurationSchema>;
