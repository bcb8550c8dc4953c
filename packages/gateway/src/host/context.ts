import type { ModelStreams } from "@openclaw/agent";
import type { LoadedConfiguration } from "@openclaw/configuration";
import type { BackgroundTasks, Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventPublisher, PluginEventPublisher } from "@openclaw/protocol";
import type { AddedRule } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type { StateFolder } from "../state/folder.js";

/** Settings and folders of a host, and its open store and log. */
export interface HostContext {
  readonly configuration: LoadedConfiguration;
  readonly environment: NodeJS.ProcessEnv;
  /** Rules for the values of stored secrets; the same list until a value is added. */
  readonly secretRules?: (() => readonly AddedRule[]) | undefined;
  readonly workspaceDir: string;
  /** Returns true for a folder whose instructions, skills and plugins may be used; every folder when absent. */
  isTrusted?(folder: string): boolean;
  readonly state: StateFolder;
  readonly store: Store;
  readonly logger: Logger;
  /** Observes the events of model streams, `--raw-stream`. */
  readonly modelStreams?: ModelStreams | undefined;
  /** Sends events to the connected clients. */
  readonly events: EventPublisher & PluginEventPublisher;
  /** Timers for deadlines; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Background tasks of the host. */
  readonly tasks: BackgroundTasks;
  /** Returns milliseconds since the epoch. */
  now(): number;
}
