import type { HookFile } from "@openclaw/plugin-discovery";
import type { PluginExport } from "./module-export.js";

/**
 * Returns the module of a hook folder as a plugin that registers the exported handler (PLUG-110).
 * @param namespace - the module's exports
 * @param hookFile - settings of its `HOOK.md`
 * @returns undefined when the named export is not a function
 */
export function readHookExport(
  namespace: unknown,
  { name, description, events, exportName }: HookFile,
): PluginExport | undefined {
  const handler = exportOf(namespace, exportName);
  if (typeof handler !== "function") return undefined;
  return {
    register(api) {
      // `registerHook` checks the names and the handler, as those of any module without types.
      const options = { entry: { hook: { name, description } } };
      Reflect.apply(api.registerHook, api, [events, handler, options]);
    },
  };
}

/** Module interop nests the default export of CommonJS. */
function exportOf(namespace: unknown, name: string): unknown {
  const found = own(namespace, name);
  return typeof found === "function" ? found : own(own(namespace, "default"), name);
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
