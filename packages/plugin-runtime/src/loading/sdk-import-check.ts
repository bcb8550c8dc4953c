import { nearestName } from "@openclaw/foundation";
import { SdkExportError } from "../errors.js";
import { fileUrl } from "./plugin-modules.js";
import { loadSdkModule, sdkModules } from "./sdk-modules.js";

/** `var _sdk = await jitiImport("openclaw/plugin-sdk")`, as the compiler writes an import. */
const COMPILED_IMPORT =
  /\bvar (\w+) = (?:_interop\w+\()?(?:await jitiImport|require)\("((?:@?openclaw|clawdbot|moltbot)\/plugin-sdk[^"]*)"\)/g;

/** What every module has, whatever it exports. */
const OF_ANY_MODULE = new Set(["default", "then", "__esModule"]);

/**
 * Finds names that a module takes from the SDK and that the SDK does not have (PLUG-055). Node does this
 * itself when it links modules; compiled ones would run, and fail at the first use.
 * @param code - a module as jiti compiled it: names of types are gone
 * @param file - the module's path
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
