import { type Static, Type } from "typebox";
import { retentionConfigurationSchema } from "./upkeep/retention-configuration.js";

/** Schema of the `store` section of the configuration: database, durability and retention. */
export const storeConfigurationSchema = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        pattern: "^(?:file:.|libsql:.|(?:postgres|postgresql):/{0,3}[^/])",
        description:
          "Database: file:<path>, postgres://<user>@<host>/<database> with an optional ?schema=, libsql:<path>, or libsql://<host> with an optional ?authToken=; openclaw.db in the state folder when absent.",
      }),
    ),
    /** As {@link OpenStoreOptions.durability}. */
    durability: Type.Optional(
      Type.Enum(["power", "process"], {
        default: "power",
        description:
          "Failure that loses no acknowledged row: power, a power cut; process, only a killed process, which is faster.",
      }),
    ),
    retention: Type.Optional(retentionConfigurationSchema),
  },
  { additionalProperties: false, description: "Database, durability and retention." },
);

/** The `store` section as its file gives it. */
export type StoreConfiguration = Static<typeof storeConfigurationSchema>;
