import type { TurnDependencies } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { DeliveryTarget, Store } from "@openclaw/store";
import type { ApprovalAttendance } from "../approvals/approver-presence.js";
import type { HookTraces } from "../messages/hook-traces.js";
import type { ReplySurface } from "../messages/inbound.js";
import type { SessionConfiguration } from "../sessions/configuration.js";
import type { SessionLife } from "../sessions/lifecycle.js";
import type { SessionStates } from "../sessions/states.js";
import type { SubagentLife } from "../subagents/manager.js";
import type { TurnPauses } from "../turns/approval-wait.js";
import type { TurnQueue } from "../turns/queue.js";
import type { TurnLines } from "../turns/session-queues.js";
import type { MessageRouter } from "./route.js";

/** What happens to a message that arrives during a turn, `session.queueMode`. */
export type QueueMode = NonNullable<SessionConfiguration["queueMode"]>;

/** What the way of a message through the host needs of it. */
export interface MessageHost {
  readonly store: Store;
  readonly plugins: PluginRuntime;
  readonly queue: TurnQueue;
  readonly turnLines: TurnLines;
  readonly sessions: SessionLife;
  readonly sessionStates: SessionStates;
  readonly subagents: SubagentLife;
  /** Notes what hooks do for messages. */
  readonly traces: HookTraces;
  readonly router: MessageRouter;
  readonly queueMode: QueueMode;
  readonly services: TurnDependencies;
  /** Questions to people, and their answers. */
  readonly approvals: ApprovalBroker;
  /** Turns that wait for answers. */
  readonly pauses: TurnPauses;
  /** Who is there to be asked. */
  readonly attendance: ApprovalAttendance;
  readonly logger: Logger;
  /** Replaces the built-in system prompt. */
  readonly instructions?: string;
  /** Aborts every turn. */
  readonly signal: AbortSignal;
  /**
   * The channel that takes a reply for which nobody waits.
   * @param target - where the reply goes
   */
  lastingSurface?(target: DeliveryTarget): ReplySurface | undefined;
}
