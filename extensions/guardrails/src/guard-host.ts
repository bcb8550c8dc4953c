import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginDatabase } from "@openclaw/plugin-sdk/store";
import type { GuardNotices } from "./notices.js";
import type { GuardCounters } from "./status/counters.js";
import type { WriteBehind } from "./storage/write-behind.js";

/** Capabilities of the host that guards use. */
export type GuardApi = Pick<
  OpenClawPluginApi,
  "on" | "logger" | "runtime" | "store" | "gatewayEvents" | "resolvePath" | "lifecycle"
>;

/** Dependencies of a guard. */
export interface GuardHost {
  readonly api: GuardApi;
  /** Counters of this guard. */
  readonly counters: GuardCounters;
  /** Events that one guard tells the others. */
  readonly notices: GuardNotices;
  /** Writes records behind the turns that cause them. */
  readonly writeBehind: WriteBehind;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Opens the database of the guards, once. */
  database(): Promise<PluginDatabase>;
}
