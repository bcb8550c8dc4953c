import { nearestName } from "@openclaw/foundation";
import { SdkExportError } from "../errors.js";
import { fileUrl } from "./plugin-modules.js";
import { loadSdkModule, sdkModules } from "./sdk-modules.js";

/** Compiled form of an import: `var _sdk = await jitiImport("openclaw/plugin-sdk")`. */
const COMPILED_IMPORT =
  /\bvar (\w+) = (?:_interop\w+\()?(?:await jitiImport|require)\("((?:@?openclaw|clawdbot|moltbot)\/plugin-sdk[^"]*)"\)/g;

/** Properties of every module namespace. */
const OF_ANY_MODULE = new Set(["default", "then", "__esModule"]);

/**
 * Rejects imports of names that the SDK does not export (PLUG-055). Node does this when it links modules, whereas a
 * compiled module would fail on first use.
 * @param code - module compiled by jiti, without imports of types
 * @param file - path of the module
 * @throws SdkExportError for the first such name
 */
export function checkSdkUse(code: string, file: string): void {
  for (const [, variable = "", specifier = ""] of code.matchAll(COMPILED_IMPORT)) {
    const url = sdkModules().get(specifier);
    if (url === undefined) continue;
    const offered = loadSdkModule(url);
    const used = new RegExp(`\\b${variable}\\.(\\w+)`, "g");
    for (const [, name = ""] of code.matchAll(used)) {
      if (OF_ANY_MODULE.has(name) || name in offered) continue;
      const near = nearestName(name, Object.keys(offered));
      throw new SdkExportError(specifier, name, fileUrl(file), near);
    }
  }
}
