import type { ChannelCapabilities } from "@openclaw/plugin-sdk/channel-core";
import type { Adapter, Attachment, PostableMarkdown } from "chat";
import type { BridgeLogger } from "../adapter/logger.js";
import type { AdapterPackage } from "../adapter/package.js";
import type { BridgeState } from "../adapter/state.js";
import type { Attachment as AttachmentFile, MessageLimits } from "../messages/limits.js";

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
  /** Required settings that are not needed when another one, by name, is given. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Settings that are sent in a header. */
  readonly inHeaders?: readonly string[];
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
  /** Limits of its messages. */
  readonly limits?: MessageLimits;
  /**
   * Returns the reason for which the platform does not take a file, or undefined for one that it takes.
   * @param file - file that is not empty
   */
  refusalOf?(file: Pick<AttachmentFile, "mimeType" | "bytes">): string | undefined;
  /**
   * Time that each message of a conversation needs, in milliseconds, when the platform limits their rate without telling
   * how long to wait.
   */
  readonly messageMs?: number;
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
   * @throws the error of the platform
   */
  checkHealth?(running: Omit<StartedAdapter, "lastProblem">): Promise<void>;
  /**
   * Opens a connection on which the platform sends events, when it does not send requests only.
   * @param context - settings, state and receiver of the events
   * @returns undefined when the settings of the account ask for none
   * @throws the error of the platform
   */
  connect?(context: ConnectionContext): Promise<PlatformConnection | undefined>;
  /**
   * Posts a message with files, when the adapter cannot.
   * @param thread - thread ID of the adapter
   * @param message - text and files
   * @param options - options of the adapter
   */
  postFiles?(
    adapter: Adapter,
    thread: string,
    message: PostableMarkdown,
    options: BridgeSettings,
  ): Promise<{ readonly id: string }>;
  /**
   * Downloads a file of a message, when the adapter does not use the transport of the options itself.
   * @param options - options of the adapter
   * @returns its content; undefined to let the adapter download it
   */
  fetchFile?(
    adapter: Adapter,
    file: Attachment,
    options: BridgeSettings,
  ): ReturnType<NonNullable<Attachment["fetchData"]>> | undefined;
}

/** Dependencies of a connection of the bridge to a platform. */
export interface ConnectionContext {
  /** Folder of the package of the adapter. */
  readonly folder: string;
  /** Options with which the adapter was created. */
  readonly settings: BridgeSettings;
  readonly state: BridgeState;
  readonly logger: BridgeLogger;
  /**
   * Hands an event to the adapter as a request.
   * @returns 503 when a message of it was not stored
   */
  handle(request: Request): Promise<Response>;
  /**
   * Reports that the connection ended and is not opened again.
   * @param error - the reason
   */
  onFailure(error: unknown): void;
}

/** Open connection to a platform. */
export interface PlatformConnection {
  close(): Promise<void>;
}

/** An adapter after its start. */
export interface StartedAdapter {
  readonly adapter: Adapter;
  /** Options with which it was created. */
  readonly settings: BridgeSettings;
  /** Last error that it logged. */
  readonly lastProblem: unknown;
}
