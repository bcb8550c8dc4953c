import type { Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { openStore, type Store } from "@openclaw/store";
import { onTestFinished } from "vitest";
import type { ApprovalBrokerOptions, NotifyPlugin } from "../../src/index.js";
import { ApprovalBroker, type ApprovalRequest, type ApprovalSettings } from "../../src/index.js";

/** Start time of every broker, in milliseconds since the epoch. */
export const NOW = 1_700_000_000_000;

/** Actor who decides in tests. */
export const OWNER = { channel: "terminal", senderId: "owner", isOwner: true } as const;

/** Differences from the default broker. */
export interface BrokerHostOptions {
  readonly settings?: ApprovalSettings | undefined;
  readonly store?: Store;
  readonly timers?: Timers | undefined;
  readonly notifyPlugin?: NotifyPlugin | undefined;
  /** Location where commands run; a folder that does not exist when absent. */
  readonly place?: ApprovalBrokerOptions["place"];
}

/** Broker over a real store, with a clock that the test sets. */
export interface BrokerHost {
  readonly broker: ApprovalBroker;
  readonly store: Store;
  readonly time: { now: number };
  /** Logged messages, as `level: message`. */
  readonly lines: string[];
  /** Creates another broker over the same rows, as the next process would. */
  restarted(options?: Omit<BrokerHostOptions, "store">): ApprovalBroker;
}

/**
 * Creates a broker that is closed at the end of the test.
 * @param options - differences from the default
 */
export async function brokerHost(options: BrokerHostOptions = {}): Promise<BrokerHost> {
  const time = { now: NOW };
  const store = options.store ?? (await openStore({ file: ":memory:", now: () => time.now }));
  const lines: string[] = [];
  const restarted = ({ settings, timers, notifyPlugin }: BrokerHostOptions = options) => {
    const broker = new ApprovalBroker({
      store,
      logger: lineLogger(lines),
      place: options.place ?? { path: process.env.PATH ?? "", workspaceDir: "/workspace" },
      settings,
      timers,
      notifyPlugin,
    });
    onTestFinished(() => broker.close());
    return broker;
  };
  onTestFinished(() => store.close());
  return { broker: restarted(options), store, time, lines, restarted };
}

/** Returns an approval request for a call of a tool that needs a grant. */
export function callRequest(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    kind: "tool",
    cause: { kind: "tool" },
    runId: "run-1",
    sessionKey: "agent:main:main",
    agentId: "main",
    requester: { channel: "telegram", accountId: "default", senderId: "ann" },
    toolCallId: "call-1",
    toolName: "write",
    params: { path: "a.txt" },
    need: "unless-granted",
    title: "Write a file?",
    description: "",
    severity: "warning",
    isAttended: true,
    ...changes,
  };
}

/**
 * Creates an approval request that a person must decide.
 * @param broker - broker that stores it
 * @param changes - differences from {@link callRequest}
 */
export async function pendingRequest(
  broker: ApprovalBroker,
  changes: Partial<ApprovalRequest> = {},
) {
  const verdict = await broker.ask(callRequest(changes));
  if (verdict.status !== "pending") throw new Error(`not asked: ${JSON.stringify(verdict)}`);
  return verdict.approval;
}

function lineLogger(lines: string[]): Logger {
  const write = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
}
