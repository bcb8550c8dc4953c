import type { ChannelCapabilities } from "@openclaw/plugin-sdk/channel-core";
import type { Adapter } from "chat";
import type { BridgeLogger } from "../adapter/logger.js";
import type { AdapterPackage } from "../adapter/package.js";

/** Settings of one account of a channel. */
export type BridgeSettings = Readonly<Record<string, unknown>>;

/** Platform that the bridge knows. */
export interface Preset {
  /** Name of the channel. */
  readonly channel: string;
  /** Package of the adapter. */
  readonly adapter: AdapterPackage;
  readonly capabilities: ChannelCapabilities;
  /** Settings that must be given, with where a person finds them. */
  readonly required: Readonly<Record<string, string>>;
  /** Settings that may be given. */
  readonly optional: readonly string[];
  /**
   * Returns options of the adapter that are the same for every account.
   * @param logger - log for libraries of the adapter
   */
  fixed?(logger: BridgeLogger): BridgeSettings;
  /** Returns true for the ID of a person, false for that of a conversation; by default one without a colon is. */
  isUserId?(id: string): boolean;
  /** Returns the thread of a pressed button, when the adapter reports another one than its message is in. */
  threadOfAction?(event: { readonly threadId: string; readonly raw: unknown }): string;
  /**
   * Checks that the platform accepted the credentials.
   * @param adapter - adapter after its start
   * @param lastProblem - last error that it logged
   * @throws that error, or another one that says what is wrong
   */
  checkStart?(adapter: Adapter, lastProblem: unknown): void | Promise<void>;
  /**
   * Checks that the platform answers.
   * @param adapter - running adapter
   * @throws the error of the platform
   */
  checkHealth?(adapter: Adapter): Promise<void>;
}
