import type { Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import { openStore, type Store } from "@openclaw/store";
import { onTestFinished } from "vitest";
import type { ApprovalBrokerOptions, NotifyPlugin } from "../../src/index.js";
import { ApprovalBroker, type ApprovalRequest, type ApprovalSettings } from "../../src/index.js";

/** Start time of every broker, in milliseconds since the epoch. */
export const NOW = 1_700_000_000_000;

/** Who answers in tests. */
export const OWNER = { channel: "terminal", senderId: "owner", isOwner: true } as const;

/** What differs from a plain broker. */
export interface BrokerHostOptions {
  readonly settings?: ApprovalSettings | undefined;
  readonly store?: Store;
  readonly timers?: Timers | undefined;
  readonly tellPlugin?: NotifyPlugin | undefined;
  /** Where commands run; a folder that does not exist when absent. */
  readonly place?: ApprovalBrokerOptions["place"];
}

/** A broker over a real store whose time the test sets. */
export interface BrokerHost {
  readonly broker: ApprovalBroker;
  readonly store: Store;
  readonly time: { now: number };
  /** What was logged, as `level: message`. */
  readonly lines: string[];
  /** Another broker over the same rows, as the next process has it. */
  restarted(options?: Omit<BrokerHostOptions, "store">): ApprovalBroker;
}

/**
 * Makes a broker that is closed at the end of the test.
 * @param options - what differs
 */
export async function brokerHost(options: BrokerHostOptions = {}): Promise<BrokerHost> {
  const time = { now: NOW };
  const store = options.store ?? (await openStore({ file: ":memory:", now: () => time.now }));
  const lines: string[] = [];
  const restarted = ({ settings, timers, tellPlugin }: BrokerHostOptions = options) => {
    const broker = new ApprovalBroker({
      store,
      logger: lineLogger(lines),
      place: options.place ?? { path: process.env.PATH ?? "", workspaceDir: "/workspace" },
      settings,
      timers,
      tellPlugin,
    });
    onTestFinished(() => broker.close());
    return broker;
  };
  onTestFinished(() => store.close());
  return { broker: restarted(options), store, time, lines, restarted };
}

/** A question about one call of a tool that needs a grant. */
export function question(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
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
 * Asks a question that a person must answer.
 * @param broker - stores it
 * @param changes - what differs from {@link question}
 */
export async function asked(broker: ApprovalBroker, changes: Partial<ApprovalRequest> = {}) {
  const verdict = await broker.ask(question(changes));
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
