import { type Static, Type } from "typebox";

/** The `store` section of the configuration: how durable the host's rows are. */
export const storeConfigurationSchema = Type.Object(
  {
    /** As {@link OpenStoreOptions.durability}; `power` when absent. */
    durability: Type.Optional(Type.Enum(["power", "process"])),
  },
  { additionalProperties: false },
);

/** The `store` section as its file gives it. */
export type StoreConfiguration = Static<typeof storeConfigurationSchema>;
