import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { maskSecrets } from "@openclaw/safety";
import type { Store } from "@openclaw/store";
import type {
  Approval,
  ApprovalOwner,
  ApprovalSettlement,
  GrantScope,
} from "@openclaw/store/decisions";
import { type ApprovalActor, actorName, auditActor, isRequester, mayAnswer } from "./actor.js";
import { auditedRow } from "./audit.js";
import type { ApprovalChanges } from "./changes.js";
import {
  ApprovalAlreadyDecidedError,
  ApprovalInputError,
  ApprovalMismatchError,
  ApprovalNotFoundError,
  DecisionNotAllowedError,
  GrantPrefixRefusedError,
  NotAuthorizedToApproveError,
} from "./errors.js";
import { granteesOf, grantLabel } from "./grant-label.js";
import { inputOf } from "./input.js";
import { choosePrefixes, isBoundBySandbox } from "./prefix/offer.js";
import { type CastVote, castVote, needsVotes, repeatedVote, voteProblem } from "./quorum/vote.js";
import type { ApprovalSettings } from "./settings.js";
import { boundWords } from "./words.js";

/** Decision of a person about an approval request. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /**
   * Scope of `allow-always`; the default of the kind when absent. Only an owner can choose a wider
   * one (APPR-021).
   */
  readonly scope?: GrantScope | undefined;
  /** Prefixes of commands that `allow-always` grants, instead of those that the request proposes. */
  readonly prefixes?: readonly string[] | undefined;
  /**
   * True for an answer in a conversation, where "always" is about the calls of the person who says it: for the request of
   * another person it allows once. An owner may say it for another owner.
   */
  readonly isOwnAlways?: boolean | undefined;
  /** Digest of the request as the surface showed it; checked when given. */
  readonly digest?: string | undefined;
  /** Values of the person, for a request for input. */
  readonly input?: JsonObject | undefined;
  /** Note of a person who denies it, which the model receives. */
  readonly note?: string | undefined;
  /** Way in which the decision arrived, for example `terminal`, `http` or `chat`. */
  readonly via: string;
}

/** Writes further data in the transaction that writes an approval request. */
export type Alongside = (unit: Store, approval: Approval) => Promise<void>;

/** Maximum length of a note, in characters. */
const NOTE_LENGTH = 512;

/** Scopes from narrow to wide. */
const SCOPES: readonly GrantScope[] = ["session", "requester", "agent", "global"];

const STATES: Readonly<Record<ApprovalDecision, ApprovalSettlement["state"]>> = {
  "allow-once": "allowed-once",
  "allow-always": "allowed-always",
  deny: "denied",
};

/** Dependencies of {@link ApprovalSettlements}. */
export interface ApprovalSettlementsDependencies {
  readonly store: Store;
  /** Returns the settings of the operator. */
  settings(): ApprovalSettings;
  readonly changes: Pick<ApprovalChanges, "announce" | "notify">;
  /**
   * Called with each request that this process settled, after the commit.
   * @param approval - settled request
   */
  settled(approval: Approval): Promise<void>;
}

/** Settles approval requests: by a decision, by timeout or by cancellation. Only the first counts. */
export class ApprovalSettlements {
  readonly #dependencies: ApprovalSettlementsDependencies;
  readonly #store: Store;

  /** @param dependencies - store, settings and the receiver of settled requests */
  constructor(dependencies: ApprovalSettlementsDependencies) {
    this.#dependencies = dependencies;
    this.#store = dependencies.store;
  }

  /**
   * Settles an approval request with a person's decision.
   * @param idOrCode - ID or code of the request
   * @param answer - decision
   * @param actor - person who decided
   * @param alongside - writes further data in the transaction that stores the decision
   * @throws ApprovalNotFoundError, NotAuthorizedToApproveError, ApprovalMismatchError,
   *   DecisionNotAllowedError, GrantPrefixRefusedError, ApprovalVoteRefusedError, ApprovalAlreadyDecidedError; all
   *   but the first are recorded in the audit log
   * @returns the settled request, or the pending one when more people must allow it
   */
  async answer(
    idOrCode: string,
    answer: ApprovalAnswer,
    actor: ApprovalActor,
    alongside?: Alongside,
  ): Promise<Approval> {
    await this.expire();
    const found = await this.#store.decisions.approvals.get(idOrCode);
    if (found === undefined) throw new ApprovalNotFoundError(idOrCode);
    const problem = this.#validate(found, answer, actor);
    if (problem !== undefined) throw await this.#recordRejection(found, answer, actor, problem);
    const applied = appliedAnswer(found, answer, actor);
    const cast: { vote: CastVote } = { vote: "settles" };
    const settled = await this.#commit(async (unit) => {
      const current = await unit.decisions.approvals.get(found.id);
      if (current !== undefined && needsVotes(current)) {
        cast.vote = await castVote(unit, current, applied, actor);
        if (cast.vote === "waits") this.#dependencies.changes.announce(unit, "updated", found.id);
        if (cast.vote === "waits") await alongside?.(unit, current);
        if (cast.vote !== "settles") return [];
      }
      const rows = await settle(unit, found, applied, actor);
      if (rows[0] !== undefined) await alongside?.(unit, rows[0]);
      return rows;
    }, actor);
    if (settled[0] !== undefined) return settled[0];
    if (cast.vote === "waits") {
      this.#dependencies.changes.notify("updated", found);
      return found;
    }
    if (cast.vote === "repeated") {
      throw await this.#recordRejection(found, answer, actor, repeatedVote(found, actor));
    }
    // The request may have expired since it was read.
    await this.expire();
    const winner = (await this.#store.decisions.approvals.get(found.id)) ?? found;
    const late = new ApprovalAlreadyDecidedError(winner);
    throw await this.#recordRejection(winner, answer, actor, late);
  }

  /** Settles every expired approval request, including those of other processes. */
  async expire(): Promise<readonly Approval[]> {
    // A read is cheaper than a write, and usually no request has expired.
    if ((await this.#store.decisions.approvals.untilExpiry()) !== 0) return [];
    return await this.#commit((unit) => unit.decisions.approvals.expire());
  }

  /**
   * Cancels pending approval requests.
   * @param owner - owner of the requests
   * @param by - cause of the cancellation
   */
  async cancel(owner: ApprovalOwner, by: string): Promise<readonly Approval[]> {
    return await this.#commit((unit) => unit.decisions.approvals.cancel(owner, by));
  }

  /**
   * Returns whether a person may answer an approval request (APPR-028).
   * @param actor - the person
   * @param approval - the request
   */
  mayAnswer(actor: ApprovalActor, approval: Pick<Approval, "requester" | "input">): boolean {
    return mayAnswer(actor, approval, this.#dependencies.settings());
  }

  #validate(
    found: Approval,
    { decision, digest, scope = found.grant.scope, prefixes, input }: ApprovalAnswer,
    actor: ApprovalActor,
  ) {
    const { code, allowedDecisions, state, grant } = found;
    const isWide = SCOPES.indexOf(scope) > SCOPES.indexOf(grant.scope);
    if (!this.mayAnswer(actor, found) || (isWide && !actor.isOwner)) {
      return new NotAuthorizedToApproveError(code, actorName(actor));
    }
    if (digest !== undefined && digest !== found.digest) {
      return new ApprovalMismatchError(code, "the decision is bound to another request");
    }
    if (state !== "pending") return new ApprovalAlreadyDecidedError(found);
    if (!allowedDecisions.includes(decision)) {
      return new DecisionNotAllowedError(code, decision, allowedDecisions);
    }
    const problem = voteProblem(found, actor, { decision });
    if (problem !== undefined) return problem;
    const values = inputOf(found, { decision, input });
    if (ApprovalInputError.isInstance(values)) return values;
    return prefixProblem(found, decision, prefixes);
  }

  async #recordRejection<Rejection extends Error & { code: string }>(
    approval: Approval,
    { decision, via }: ApprovalAnswer,
    actor: ApprovalActor,
    rejection: Rejection,
  ): Promise<Rejection> {
    const facts = { ...auditedRow(approval), actor: auditActor(actor), via, decision };
    await this.#store.decisions.auditLog.append({
      ...facts,
      event: "refused",
      reason: rejection.code,
    });
    return rejection;
  }

  async #commit(
    change: (unit: Store) => Promise<readonly Approval[]>,
    actor?: ApprovalActor,
  ): Promise<readonly Approval[]> {
    const settled = await this.#store.transaction(async (unit) => {
      const rows = await change(unit);
      for (const row of rows) {
        const { state, decidedBy = "", decidedVia = "" } = row;
        const who = actor === undefined ? { channel: "host", id: decidedBy } : auditActor(actor);
        const facts = { ...auditedRow(row), decision: state, actor: who, via: decidedVia };
        await unit.decisions.auditLog.append({ ...facts, event: "decided" });
        this.#dependencies.changes.announce(unit, "decided", row.id);
      }
      return rows;
    });
    for (const approval of settled) await this.#dependencies.settled(approval);
    return settled;
  }
}

/** A word in a conversation does not let later calls of another person run (APPR-281). */
function appliedAnswer(
  { requester }: Approval,
  answer: ApprovalAnswer,
  actor: ApprovalActor,
): ApprovalAnswer {
  if (answer.decision !== "allow-always" || answer.isOwnAlways !== true) return answer;
  const mayCover = isRequester(actor, requester) || (actor.isOwner && requester.isOwner === true);
  return mayCover ? answer : { ...answer, decision: "allow-once" };
}

/** Returns an error when the edited prefixes of a decision cannot be granted. */
function prefixProblem(
  { code, grant }: Approval,
  decision: ApprovalDecision,
  prefixes: readonly string[] | undefined,
): GrantPrefixRefusedError | undefined {
  if (decision !== "allow-always" || prefixes === undefined) return undefined;
  try {
    choosePrefixes(code, grant.prefixes ?? [], prefixes);
    return undefined;
  } catch (error) {
    if (GrantPrefixRefusedError.isInstance(error)) return error;
    throw error;
  }
}

/** Only a denial has a note; it is masked, because it is stored and the model receives it. */
function shownNote(decision: ApprovalDecision, note: string | undefined): string | undefined {
  if (decision !== "deny" || note === undefined) return undefined;
  const text = boundWords(maskSecrets(note).text, NOTE_LENGTH);
  return text === "" ? undefined : text;
}

/** Settles one request, and stores the grants of `allow-always`. */
async function settle(
  unit: Store,
  found: Approval,
  { decision, via, scope = found.grant.scope, prefixes, input, note }: ApprovalAnswer,
  actor: ApprovalActor,
): Promise<readonly Approval[]> {
  const by = actorName(actor);
  const values = inputOf(found, { decision, input });
  // Checked before.
  const answer = ApprovalInputError.isInstance(values) ? undefined : values;
  const settlement = { state: STATES[decision], by, via, answer, note: shownNote(decision, note) };
  const row = await unit.decisions.approvals.decide(found.id, settlement);
  if (row === undefined) return [];
  if (decision !== "allow-always") return [row];
  const { kind, tool = "*", sessionKey, agentId, requester } = row;
  const exact = { key: row.grant.key, label: grantLabel(row) };
  const offered = row.grant.prefixes;
  const covered = [
    ...(offered === undefined ? [] : choosePrefixes(row.code, offered, prefixes)),
    // A command that the sandbox restricts, such as one with network access, is to run again as approved.
    ...(offered?.every((prefix) => !isBoundBySandbox(prefix)) === true ? [] : [exact]),
  ];
  for (const { key, label } of covered) {
    const granted = await unit.decisions.grants.add({
      kind,
      tool,
      scope,
      key,
      label,
      sessionKey,
      agentId,
      requester,
      createdBy: by,
    });
    const facts = { ...auditedRow(row), grantId: granted.id, actor: auditActor(actor), via };
    const reason = `covers calls of ${granteesOf(granted)}`;
    await unit.decisions.auditLog.append({ ...facts, event: "granted", reason });
  }
  return [row];
}
