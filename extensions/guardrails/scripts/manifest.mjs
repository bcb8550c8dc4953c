/**
 * Writes the schemas of the guards into the manifest. Build the extension first.
 *
 * The schema of a guard accepts every value, because the host loads no plugin with an invalid configuration, and an invalid
 * guard must leave the others active; the guard itself checks its configuration.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GUARDS } from "../dist/guards.js";

const file = fileURLToPath(new URL("../openclaw.plugin.json", import.meta.url));
const manifest = JSON.parse(readFileSync(file, "utf8"));
const properties = {};
for (const [name, load] of Object.entries(GUARDS)) {
  const { description, schema } = await load();
  const written = JSON.parse(JSON.stringify(schema, withoutFilledKeys));
  properties[name] = { description, anyOf: [{ type: "boolean" }, written, true] };
}
manifest.configSchema = { type: "object", properties };
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);

/** Removes keys with a default value from the required ones: they need not be written. */
function withoutFilledKeys(_key, value) {
  if (!Array.isArray(value?.required) || value.properties === undefined) return value;
  const { required, ...rest } = value;
  const needed = required.filter((name) => !("default" in value.properties[name]));
  return needed.length === 0 ? rest : { ...rest, required: needed };
}
