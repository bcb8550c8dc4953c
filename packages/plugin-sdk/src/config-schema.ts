export type { JsonSchema } from "./json.js";
export {
  type ConfigOf,
  type ConfigSchema,
  emptyPluginConfigSchema,
  type ParsingSchema,
} from "./plugin-config-schema.js";
export type { SchemaValue, StandardSchema } from "./schema-value.js";
