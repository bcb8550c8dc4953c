export type { JsonSchema } from "./schema/json.js";
export {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
  type ParsingSchema,
} from "./schema/plugin-config.js";
export type { SchemaValue, StandardSchema } from "./schema/standard-schema.js";
