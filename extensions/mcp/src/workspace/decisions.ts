import { createHash } from "node:crypto";
import type { PluginApprovals, ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { PluginKeyValueStore } from "@openclaw/plugin-sdk/store";
import { asJson } from "../json.js";
import type { WorkspaceEntry } from "./file.js";

/** Time in milliseconds in which a person can answer. */
const ANSWER_MS = 24 * 3600 * 1000;
const PREFIX = "workspace/";

/** Decision about a server of a workspace; `asked` while a person has not answered. */
export type WorkspaceDecision = "allowed" | "denied" | "unanswered" | "asked";

/** Decision as it is stored; it holds for exactly this entry. */
type StoredDecision = {
  readonly hash: string;
  readonly decision: WorkspaceDecision;
  readonly approvalId?: string;
};

/** Dependencies of the decisions. */
interface DecisionDependencies {
  readonly kv: PluginKeyValueStore;
  readonly approvals: Pick<PluginApprovals, "submit" | "cancel">;
}

/**
 * Decisions of people whether the servers that a workspace names may be used. Each entry is asked about once; a changed one is
 * another entry (EXT-010).
 */
export class WorkspaceDecisions {
  readonly #dependencies: DecisionDependencies;
  /** Requests that are being made, by key and hash of the entry. */
  readonly #asking = new Map<string, Promise<string | undefined>>();

  /** @param dependencies - store, and requests for approval */
  constructor(dependencies: DecisionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the decision about an entry.
   * @param entry - entry of the file of a workspace
   * @returns undefined when no person was asked
   */
  async of(entry: WorkspaceEntry): Promise<WorkspaceDecision | undefined> {
    const stored = await this.#stored(keyOf(entry));
    return stored?.hash === entry.hash ? stored.decision : undefined;
  }

  /**
   * Asks about an entry in the conversation of a session.
   * @param entry - entry about which no person was asked
   * @param sessionKey - session of the turn that would use the server
   * @returns reason why no person was asked; undefined when a request waits
   */
  async ask(entry: WorkspaceEntry, sessionKey: string): Promise<string | undefined> {
    const key = keyOf(entry);
    const id = `${key} ${entry.hash}`;
    const asking = this.#asking.get(id) ?? this.#ask(entry, sessionKey);
    this.#asking.set(id, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(id);
    }
  }

  /**
   * Stores the answer to a request.
   * @param approval - request that was decided
   * @returns true when it was about a server of a workspace
   */
  async resolved({ id, decision }: ResolvedApproval): Promise<boolean> {
    const { kv } = this.#dependencies;
    // The answer may come before the request is stored.
    await Promise.allSettled(this.#asking.values());
    for (const { key, value } of await kv.list(PREFIX)) {
      // Only this class writes below the prefix.
      const stored = value as StoredDecision;
      if (stored.approvalId !== id) continue;
      // A cancelled request was withdrawn before an answer.
      if (decision === "cancelled") await kv.delete(key);
      else await kv.set(key, { hash: stored.hash, decision: DECISIONS[decision] });
      return true;
    }
    return false;
  }

  /**
   * Allows a server at the request of the operator.
   * @param entry - entry of the file of a workspace
   */
  async allow(entry: WorkspaceEntry): Promise<void> {
    const key = keyOf(entry);
    const { kv, approvals } = this.#dependencies;
    const earlier = await this.#stored(key);
    await kv.set(key, { hash: entry.hash, decision: "allowed" });
    if (earlier?.approvalId !== undefined) await approvals.cancel(earlier.approvalId);
  }

  async #ask(entry: WorkspaceEntry, sessionKey: string): Promise<string | undefined> {
    const { approvals, kv } = this.#dependencies;
    const key = keyOf(entry);
    const earlier = await this.#stored(key);
    if (earlier?.decision === "asked" && earlier.approvalId !== undefined) {
      await approvals.cancel(earlier.approvalId);
    }
    const { name, file, written } = entry;
    const submitted = await approvals.submit({
      title: startOfText(`Use MCP server ${name} of the workspace?`, 80),
      description: describe(entry),
      severity: "warning",
      sessionKey,
      timeoutMs: ANSWER_MS,
      payload: asJson({ server: name, file, entry: written }),
    });
    if (submitted.status === "denied") return submitted.reason;
    await kv.set(key, { hash: entry.hash, decision: "asked", approvalId: submitted.id });
    return undefined;
  }

  async #stored(key: string): Promise<StoredDecision | undefined> {
    // Only this class writes the key.
    return (await this.#dependencies.kv.get(key)) as StoredDecision | undefined;
  }
}

const DECISIONS = {
  "allow-once": "allowed",
  "allow-always": "allowed",
  deny: "denied",
  timeout: "unanswered",
} as const;

function describe({ file, variables }: WorkspaceEntry): string {
  const used = variables.length === 0 ? "" : ` It receives the variables ${variables.join(", ")}.`;
  const text = `${file} names this server, which starts a program or sends data to a URL.${used} The answer holds until the entry changes.`;
  return text.length > 512 ? `${startOfText(text, 511)}…` : text;
}

function keyOf({ folder, name }: WorkspaceEntry): string {
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return `${PREFIX}${hash}/${encodeURIComponent(name)}`;
}
