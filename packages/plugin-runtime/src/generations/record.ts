import type { DisabledReason, PluginFacts } from "@openclaw/plugin-discovery";
import type { ModuleLoaderName, SdkPart } from "@openclaw/plugin-loader";
import type { PluginIsolation } from "@openclaw/plugin-sdk/proposals/isolation-tier";
import type { ApiProfile } from "../instances/api-vintage.js";
import type { RegisteredNames } from "../registration/registry.js";

/** State of a plugin after a load. */
export type PluginStatus =
  | { readonly enabled: true; readonly status: "loaded" }
  | {
      readonly enabled: false;
      readonly status: "disabled";
      readonly reason: DisabledReason;
      /** The line of the configuration that would enable it. */
      readonly hint: string;
    }
  | {
      readonly enabled: boolean;
      readonly status: "error";
      /** The code and message of the diagnostic. */
      readonly error: { readonly code: string; readonly message: string };
    };

/** Facts about the load of a plugin's code. */
export interface PluginLoading {
  /** Generation in which it registered; an earlier one when it was carried over. */
  readonly generation: number;
  /** `inline` for a plugin that the host gave as an object. */
  readonly loader: ModuleLoaderName | "inline" | "none";
  /** Duration of its import, in milliseconds. */
  readonly loadMs: number;
  /** Thread or process of its code; absent for code in the process of the host (PLUG-052). */
  readonly isolation?: PluginIsolation;
  /** Duration of its `register`, in milliseconds. */
  readonly registerMs: number;
  /** Parts of the SDK that it imports and this host lacks; absent when it has them all. */
  readonly missingParts?: readonly SdkPart[];
  /** `configSchema` as its module exports it; `manifestSchemaOf` gives the JSON form. */
  readonly exportedSchema?: unknown;
}

/** Facts that the plugin's use of the `api` shows. */
export interface PluginUse {
  /** The API version that it was written for, as far as its calls show it. */
  readonly profile: ApiProfile;
}

/** One plugin in a generation, enabled or not (PLUG-015, PLUG-026). */
export type PluginRecord = PluginFacts &
  PluginStatus &
  RegisteredNames &
  Partial<PluginLoading & PluginUse>;
