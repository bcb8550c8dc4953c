import { type Static, Type } from "typebox";
import { retentionConfigurationSchema } from "./upkeep/retention-configuration.js";

/** The `store` section of the configuration: where the host's rows lie, how durable they are, and how long they stay. */
export const storeConfigurationSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: "^(file|postgres|postgresql):.",
        description:
          "Where the rows lie: file:<path>, or postgres://<user>@<host>/<database>, to which ?schema= may be added; openclaw.db in the state folder when absent.",
      }),
    ),
    /** As {@link OpenStoreOptions.durability}; `power` when absent. */
    durability: Type.Optional(Type.Enum(["power", "process"])),
    retention: Type.Optional(retentionConfigurationSchema),
  },
  { additionalProperties: false },
);

/** The `store` section as its file gives it. */
export type StoreConfiguration = Static<typeof storeConfigurationSchema>;
