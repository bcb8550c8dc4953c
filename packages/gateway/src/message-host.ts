import type { ApprovalBroker, TurnServices } from "@openclaw/agent";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { Logger } from "@openclaw/plugin-sdk";
import type { DeliveryTarget, Store } from "@openclaw/store";
import type { ApprovalAttendance } from "./approval-attendance.js";
import type { HookTraces } from "./hook-traces.js";
import type { ReplySurface } from "./inbound-message.js";
import type { MessageRouter } from "./message-route.js";
import type { SessionConfiguration } from "./session-configuration.js";
import type { SessionLife } from "./session-life.js";
import type { SessionStates } from "./session-states.js";
import type { SubagentLife } from "./subagent-life.js";
import type { TurnLines } from "./turn-line.js";
import type { TurnPauses } from "./turn-pause.js";
import type { TurnQueue } from "./turn-queue.js";

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
  readonly services: TurnServices;
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
