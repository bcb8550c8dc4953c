import { canonicalJson, textOf } from "@openclaw/foundation";
import type { Contribution, DispatchDetails } from "@openclaw/hook-runner";
import {
  type ContainedNeed,
  containedNeedsOf,
  type GrantableNeed,
  grantableNeedsOf,
  type MetNeed,
  mergeApprovals,
  metNeedsOf,
  type ToolCallFacts,
  withToolCallFacts,
} from "@openclaw/plugin-runtime";
import type { BeforeToolCallResult, HookMap, RequireApproval } from "@openclaw/plugin-sdk/hooks";
import type { Guidance, RequestedCall } from "../context/call.js";
import { toolContext } from "../context/hook-context.js";
import type { RunningTurn } from "../context/turn.js";
import { factsOf } from "./facts.js";
import type { ToolEntry } from "./tool-entry.js";

/** The arguments of a call, and the facts that the host derived from them. */
export interface ShownArguments {
  readonly params: Record<string, unknown>;
  readonly facts: ToolCallFacts;
}

/** Combined result of the trusted policies and handlers that saw a call. */
export interface BeforeToolCallVerdict {
  /** Rewritten arguments; undefined when no hook rewrote them. */
  readonly params: Record<string, unknown> | undefined;
  /** The plugin that rewrote them last. */
  readonly rewrittenBy: string | undefined;
  readonly blocked: BeforeToolCallBlock | undefined;
  /** The approval requests of all plugins, merged into one. */
  readonly requireApproval: RequireApproval | undefined;
  /** Plugins that request approval, in hook order, each once. */
  readonly requestedBy: readonly string[];
  /** Requests that name another plugin as their author; the name is ignored (HCR-006). */
  readonly misattributed: readonly MisattributedRequest[];
  /** True if the first of them is a trusted policy. */
  readonly isRequestedByPolicy: boolean;
  /** True if all of them are trusted policies that cannot tell what the command does. */
  readonly isDoubt: boolean;
  /** The first trusted policy that waives the approval required by the tool itself (D25). */
  readonly metBy: MetNeed | undefined;
  /** The first trusted policy that states which programs of a command a grant must cover. */
  readonly grantable: GrantableNeed | undefined;
  /** The first trusted policy that waives the approval of a command where a read-only sandbox is active. */
  readonly contained: ContainedNeed | undefined;
  /** The first plugin that returns the call once for reconsideration (D12). */
  readonly reconsideredBy: string | undefined;
  readonly guidance: readonly Guidance[];
}

/** An approval request of a plugin that names another plugin as its author. */
export interface MisattributedRequest {
  /** The plugin that made the request. */
  readonly owner: string;
  /** The plugin that it names. */
  readonly claimed: string;
}

/** A call that a trusted policy or a handler blocked. */
export interface BeforeToolCallBlock {
  readonly reason: string;
  /** Decider for the audit log: the plugin, and the policy if the plugin has several. */
  readonly decider: string;
}

type Verdict = DispatchDetails<BeforeToolCallResult>;

const CHANGES_AGAIN = "a trusted policy would change the arguments once more";
const SILENT: Verdict = {
  result: undefined,
  outcome: "completed",
  called: [],
  contributions: [],
};

/** Runs the hooks that decide about a call before it runs: trusted policies, then the ordinary handlers. */
export class BeforeToolCallHooks {
  readonly #call: RequestedCall;
  readonly #entry: ToolEntry;
  readonly #turn: RunningTurn;
  /** The arguments after the trusted policies evaluated them. */
  #settled: Record<string, unknown> = {};
  #trusted = SILENT;
  #ordinary = SILENT;

  /** @param call - as the model asked for it */
  constructor(call: RequestedCall, entry: ToolEntry, turn: RunningTurn) {
    this.#call = call;
    this.#entry = entry;
    this.#turn = turn;
  }

  /**
   * Runs the trusted policies and, unless one blocks the call, the ordinary handlers of `before_tool_call`
   * with the resulting arguments (X3, X4).
   * @param asked - arguments that policy and schema allow
   */
  async ask(asked: ShownArguments): Promise<BeforeToolCallVerdict> {
    await this.#askPolicies(asked);
    const { result } = this.#trusted;
    this.#settled = result?.params ?? asked.params;
    if (result?.block !== true) {
      const shown = result?.params === undefined ? asked : this.#shown(result.params);
      this.#ordinary = await this.#dispatch("ordinary", shown);
    }
    return this.#verdict();
  }

  /** True if a later policy or an ordinary handler changed the arguments that a trusted policy saw (D24). */
  get mustAskAgain(): boolean {
    if (!this.#hasPolicies) return false;
    const rewritten = this.#ordinary.result?.params;
    if (rewritten !== undefined && canonicalJson(rewritten) !== canonicalJson(this.#settled)) {
      return true;
    }
    const author = lastRewrite(this.#trusted)?.registration;
    const [first] = this.#trusted.called;
    return author !== undefined && author.id !== first?.id;
  }

  /**
   * Runs the trusted policies again on the final arguments. Their earlier results no longer count, and a
   * policy that would change the arguments again denies the call (D24).
   * @param final - arguments that policy and schema allow
   */
  async askAgain(final: ShownArguments): Promise<BeforeToolCallVerdict> {
    const author = lastRewrite(this.#ordinary) ?? lastRewrite(this.#trusted);
    await this.#askPolicies(final);
    const { blocked, ...verdict } = this.#verdict();
    const reason = this.#changes(final) ? CHANGES_AGAIN : blocked?.reason;
    if (reason === undefined) return { ...verdict, blocked };
    const decider = blocked?.decider ?? deciderOf(lastRewrite(this.#trusted)?.registration);
    return {
      ...verdict,
      blocked: {
        reason: `${reason} (after plugin "${author?.registration.owner}" rewrote the arguments)`,
        decider,
      },
    };
  }

  /**
   * Runs only the trusted policies on a call that an approver allowed. Approval that they request counts as
   * given, and a policy that would change the arguments denies the call (APPR-017).
   * @param final - arguments that policy and schema allow
   */
  async confirm(final: ShownArguments): Promise<BeforeToolCallBlock | undefined> {
    await this.#askPolicies(final);
    const { blocked } = this.#verdict();
    if (blocked !== undefined || !this.#changes(final)) return blocked;
    const decider = deciderOf(lastRewrite(this.#trusted)?.registration);
    return { reason: CHANGES_AGAIN, decider };
  }

  /** The first trusted policy that waives the approval of the arguments evaluated last (D25). */
  get metBy(): MetNeed | undefined {
    return metNeedsOf(this.#trusted)[0];
  }

  get #hasPolicies(): boolean {
    const { hooks } = this.#turn.pin;
    return hooks.has("before_tool_call", undefined, undefined, { stage: "policy" });
  }

  async #askPolicies(asked: ShownArguments): Promise<void> {
    this.#trusted = await this.#dispatch("policy", asked);
  }

  /** Returns true if a trusted policy would change arguments that are final. */
  #changes({ params }: ShownArguments): boolean {
    const again = this.#trusted.result?.params;
    return again !== undefined && canonicalJson(again) !== canonicalJson(params);
  }

  async #dispatch(
    stage: "policy" | "ordinary",
    { params, facts }: ShownArguments,
  ): Promise<Verdict> {
    if (stage === "policy" && !this.#hasPolicies) return SILENT;
    const { toolCallId, toolName } = this.#call;
    const { pin, request } = this.#turn;
    const { runId, signal } = request;
    const event: HookMap["before_tool_call"]["event"] = {
      toolName,
      params,
      runId,
      toolCallId,
      toolKind: this.#entry.kind,
      ...facts,
    };
    return pin.hooks.detailed(
      "before_tool_call",
      withToolCallFacts(event, (rewritten) => factsOf(this.#entry, rewritten)),
      toolContext(this.#turn, toolName, toolCallId),
      { signal, stage },
    );
  }

  #shown(params: Record<string, unknown>): ShownArguments {
    return { params, facts: factsOf(this.#entry, params) };
  }

  #verdict(): BeforeToolCallVerdict {
    const all = [this.#trusted, this.#ordinary];
    const blocking = all.find(({ result }) => result?.block === true);
    const requests = all
      .flatMap(({ contributions }) => contributions)
      .filter(({ result }) => result.requireApproval !== undefined);
    return {
      params: this.#ordinary.result?.params ?? this.#trusted.result?.params,
      rewrittenBy: (lastRewrite(this.#ordinary) ?? lastRewrite(this.#trusted))?.registration.owner,
      blocked: blocking && {
        reason: blocking.result?.blockReason ?? "a plugin did not allow it",
        decider: deciderOf(blocking.decidedBy),
      },
      requireApproval: mergedRequest(all),
      requestedBy: [...new Set(requests.map(({ registration }) => registration.owner))],
      misattributed: requests.flatMap(misattributedRequest),
      isRequestedByPolicy: requests[0]?.registration.stage === "policy",
      isDoubt: requests.every(
        ({ registration, result }) =>
          registration.stage === "policy" && result.requireApproval?.cause === "doubt",
      ),
      metBy: this.metBy,
      grantable: grantableNeedsOf(this.#trusted)[0],
      contained: containedNeedsOf(this.#trusted)[0],
      reconsideredBy: all
        .flatMap(({ contributions }) => contributions)
        .find(({ result }) => result.requestReconsideration === true)?.registration.owner,
      guidance: all.flatMap(({ contributions }) => contributions.flatMap(guidanceOf)),
    };
  }
}

function mergedRequest(verdicts: readonly Verdict[]): RequireApproval | undefined {
  return verdicts
    .flatMap(({ result }) => result?.requireApproval ?? [])
    .reduce<RequireApproval | undefined>(
      (earlier, next) =>
        earlier === undefined
          ? next
          : mergeApprovals.merge(earlier, next, { owner: next.pluginId ?? "", terminal: false }),
      undefined,
    );
}

function guidanceOf({ registration, result }: Contribution<BeforeToolCallResult>): Guidance[] {
  return result.guidance ? [{ pluginId: registration.owner, text: result.guidance }] : [];
}

function misattributedRequest({
  registration: { owner },
  result: { requireApproval },
}: Contribution<BeforeToolCallResult>): MisattributedRequest[] {
  const claimed = requireApproval?.pluginId;
  return claimed === undefined || claimed === owner ? [] : [{ owner, claimed: textOf(claimed) }];
}

function lastRewrite({ contributions }: Verdict) {
  return contributions.findLast(({ result }) => result.params !== undefined);
}

function deciderOf(registration: Verdict["decidedBy"]): string {
  if (registration === undefined) return "plugin";
  const { owner, label, stage } = registration;
  return stage === "policy" ? `plugin:${owner}/${label}` : `plugin:${owner}`;
}
