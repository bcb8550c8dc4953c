import type { ChannelCapabilities } from "@openclaw/plugin-sdk/channel-core";
import type { Adapter, Attachment } from "chat";
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
  /** Maximum length of the text above buttons in characters; a longer one is a message of its own. */
  readonly buttonTextLimit?: number;
  /** False when sent messages cannot be changed; true when absent. */
  readonly canEdit?: boolean;
  /** False when the platform shows that the bot is writing, but no text; true when absent. */
  readonly hasStatusText?: boolean;
  /**
   * Checks that the platform accepted the credentials.
   * @param started - adapter after its start
   * @throws the error of the platform
   */
  checkStart?(started: StartedAdapter): void | Promise<void>;
  /**
   * Checks that the platform answers.
   * @param running - running adapter
   * @throws the error of the platform
   */
  checkHealth?(running: Omit<StartedAdapter, "lastProblem">): Promise<void>;
  /**
   * Downloads a file of a message, when the adapter does not use the transport of the options itself.
   * @param adapter - running adapter
   * @param file - the file
   * @param options - options of the adapter
   * @returns its content; undefined to let the adapter download it
   */
  fetchFile?(
    adapter: Adapter,
    file: Attachment,
    options: BridgeSettings,
  ): ReturnType<NonNullable<Attachment["fetchData"]>> | undefined;
}

/** An adapter after its start. */
export interface StartedAdapter {
  readonly adapter: Adapter;
  /** Options with which it was created. */
  readonly settings: BridgeSettings;
  /** Last error that it logged. */
  readonly lastProblem: unknown;
}
