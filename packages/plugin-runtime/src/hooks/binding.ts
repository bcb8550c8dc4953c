import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { AnyHandler } from "../registration/hook.js";
import type { RegistrationOrigin } from "../registration/origin.js";
import type { EngineOptions } from "./author-options.js";

/** One handler of one hook, as the engine runs it. */
export interface HookBinding {
  readonly hook: CataloguedHookName;
  readonly owner: RegistrationOrigin;
  readonly handler: AnyHandler;
  readonly options: EngineOptions;
  /** The phase or alias it was registered by. */
  readonly alias?: string;
  readonly description?: string;
  /** False for a handler that is listed only. */
  readonly active: boolean;
  /** `policy` for a handler that runs before all ordinary ones (HOOK-043). */
  readonly stage?: "policy";
}
