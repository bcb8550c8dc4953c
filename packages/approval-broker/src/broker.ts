import { errorMessage, systemClock, type Timers, waitUnlessAborted } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type {
  Approval,
  ApprovalGrant,
  ApprovalOwner,
  NewApproval,
} from "@openclaw/store/decisions";
import type { ApprovalActor } from "./actor.js";
import { type AuditedFacts, auditedCall, auditedReason, auditedRow } from "./audit.js";
import { reasonWithoutApprover } from "./denial.js";
import { ApprovalMismatchError, ApprovalNotFoundError } from "./errors.js";
import { ApprovalExpiry } from "./expiry.js";
import { type CommandPlace, grantKeyOf } from "./grant-key.js";
import {
  type ElevatedSession,
  elevateSession,
  lowerSession,
  type RevokedGrants,
  revokeGrants,
} from "./grants.js";
import { resolveLiteralCommand } from "./literal-command.js";
import { COMMAND_TOOL, meetNeed } from "./need.js";
import { grantPrefixes } from "./prefix/offer.js";
import { type ApprovalRequest, digestOf, type PluginApprovalRequest } from "./request.js";
import { ApprovalResolutions, type OnResolution, type TellPlugin } from "./resolutions.js";
import type { ApprovalSettings } from "./settings.js";
import { type Alongside, type ApprovalAnswer, ApprovalSettlements } from "./settlement.js";
import { storablePluginRequest, storableRequest } from "./storable-request.js";
import { type ApprovalVerdict, mismatchOf, verdictOf } from "./verdict.js";

/** What a broker is made from. */
export interface ApprovalBrokerOptions {
  readonly store: Store;
  readonly settings?: ApprovalSettings | undefined;
  readonly logger: Logger;
  /** Where commands run. */
  readonly place: CommandPlace;
  /** Those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Tells a plugin of an answer to a question of an earlier process. */
  readonly tellPlugin?: TellPlugin | undefined;
}

/** Told of a question. */
export type ApprovalListener = (approval: Approval) => void;

/** The answer under which a call is to run. */
export interface GivenApproval {
  readonly id: string;
  /** Of what is to run, made anew. */
  readonly digest: string;
}

/**
 * Asks people about calls, and settles what they answer. Every question is a row before anybody sees it,
 * is settled once whoever answers, and allows one execution at most; none of it is lost with the process.
 */
export class ApprovalBroker {
  readonly #store: Store;
  readonly #settings: ApprovalSettings;
  readonly #approvedTools: ReadonlySet<string>;
  readonly #logger: Logger;
  readonly #place: CommandPlace;
  readonly #expiry: ApprovalExpiry;
  readonly #resolutions: ApprovalResolutions;
  readonly #settlements: ApprovalSettlements;
  readonly #asked = new Set<ApprovalListener>();
  readonly #decided = new Set<ApprovalListener>();

  /** @param options - store, settings and surroundings */
  constructor(options: ApprovalBrokerOptions) {
    const { store, settings = {}, logger, place, timers = systemClock, tellPlugin } = options;
    this.#store = store;
    this.#settings = settings;
    this.#approvedTools = new Set(settings.approvedTools);
    this.#logger = logger;
    this.#place = place;
    this.#resolutions = new ApprovalResolutions({ store, logger, timers, tellPlugin });
    this.#settlements = new ApprovalSettlements(store, settings, async (approval) => {
      await this.#resolutions.tell(approval);
      for (const listener of [...this.#decided]) listener(approval);
    });
    this.#expiry = new ApprovalExpiry({
      store,
      timers,
      expire: () => this.#settlements.expire(),
      failed(error) {
        const problem = `approvals could not be expired: ${errorMessage(error)}`;
        logger.error(problem, { code: "APPROVAL_EXPIRY_FAILED" });
      },
    });
  }

  /**
   * The need of a tool after the operator's settings.
   * @param toolName - canonical name
   * @param declared - what the tool itself declares for the call
   */
  need(toolName: string, declared: ApprovalNeed): ApprovalNeed {
    const { needs = {} } = this.#settings;
    return (Object.hasOwn(needs, toolName) ? needs[toolName] : undefined) ?? declared;
  }

  /**
   * Takes up what an earlier process left: times that passed meanwhile, and plugins that were not told.
   * Call it once plugins can be told.
   */
  async start(): Promise<void> {
    await this.expire();
    await this.#resolutions.tellRest();
    this.#expiry.arm();
  }

  /** Lets go of the timer. Questions stay; the next process goes on with them. */
  async close(): Promise<void> {
    await this.#expiry.close();
  }

  /**
   * Gets a verdict for a call, storing a question where a person must be asked.
   * @param request - about the call
   * @param alongside - writes what is to be stored with the question, in its transaction
   */
  async ask(request: ApprovalRequest, alongside?: Alongside): Promise<ApprovalVerdict> {
    const { runId, isAttended, askedSince, onResolution, need, declaredNeed = need } = request;
    const isCommand = request.toolName === COMMAND_TOOL;
    // Most calls: nothing is made of them that nobody looks at.
    if (need === "never" && declaredNeed === "never") return { status: "allowed" };
    const digest = digestOf(request);
    const grant = await grantKeyOf(request, digest, this.#place);
    const literal = isCommand ? request.command?.literal : undefined;
    const command = literal && (await resolveLiteralCommand(literal, this.#place));
    const isSandboxed = isCommand && (await this.#settings.isSandboxed?.()) === true;
    const settled = { approvedTools: this.#approvedTools, isSandboxed };
    const prefixes = command && (await grantPrefixes(request, this.#place));
    const met = await meetNeed(request, grant, digest, settled, this.#store, command, prefixes);
    if (met !== undefined) {
      await this.#store.decisions.auditLog.append(met.audit);
      await this.#resolutions.tellAsker(request, "allow-always");
      return { status: "allowed", ...(isCommand ? { authority: met.authority } : {}) };
    }
    if (await this.#store.decisions.approvals.wasRefused(runId, digest, askedSince)) {
      return await this.#refuse(request, digest, "it was refused before in this turn");
    }
    if (!isAttended && this.#settings.headless !== "wait") {
      return await this.#refuse(request, digest, reasonWithoutApprover(request));
    }
    const asked = isCommand && command === undefined ? withoutGrant(request) : request;
    const { approval, clamped } = storableRequest(asked, { ...grant, prefixes }, this.#settings);
    if (clamped !== undefined) {
      this.#logger.warn(clamped, { code: "APPROVAL_TIMEOUT_CLAMPED", runId });
    }
    const facts = auditedCall(request, digest);
    return await this.#create(approval, facts, onResolution?.bind(request), alongside);
  }

  /**
   * Asks what belongs to no tool call (APPR-006).
   * @param request - what a plugin asks
   * @param onResolution - told in this process how it ended
   */
  async request(
    request: PluginApprovalRequest,
    onResolution?: OnResolution,
  ): Promise<ApprovalVerdict> {
    const { approval, clamped } = storablePluginRequest(request, this.#settings);
    const { pluginId, sessionKey, digest } = approval;
    if (!request.isAttended && this.#settings.headless !== "wait") {
      const reason = `no approver reachable for plugin "${pluginId}"`;
      await this.#store.decisions.auditLog.append({ event: "refused", sessionKey, digest, reason });
      return { status: "denied", reason, cancelled: false };
    }
    if (clamped !== undefined) {
      this.#logger.warn(clamped, { code: "APPROVAL_TIMEOUT_CLAMPED", pluginId });
    }
    return await this.#create(approval, {}, onResolution);
  }

  /**
   * What became of a stored question.
   * @param id - of the question
   * @throws ApprovalNotFoundError
   */
  async verdict(id: string): Promise<ApprovalVerdict> {
    await this.expire();
    const approval = await this.#store.decisions.approvals.get(id);
    if (approval === undefined) throw new ApprovalNotFoundError(id);
    return verdictOf(approval, this.#settings);
  }

  /**
   * Begins the one execution that an answer allows, in one transaction with what tells of it.
   * @param given - the answer, and the digest of what is to run
   * @param alongside - journals the intent
   * @throws ApprovalMismatchError when the answer allows none, was used, or is bound to something else
   */
  async begin(
    { id, digest }: GivenApproval,
    alongside: (unit: Store) => Promise<void>,
  ): Promise<void> {
    const begun = await this.#store.transaction(async (unit) => {
      const approval = await unit.decisions.approvals.consume({ id, digest });
      if (approval === undefined) return false;
      await unit.decisions.auditLog.append({ ...auditedRow(approval), event: "consumed" });
      await alongside(unit);
      return true;
    });
    if (begun) return;
    const approval = await this.#store.decisions.approvals.get(id);
    const problem = mismatchOf(approval, digest);
    await this.#store.decisions.auditLog.append({
      ...(approval === undefined ? { approvalId: id } : auditedRow(approval)),
      event: "refused",
      digest,
      reason: `APPROVAL_MISMATCH: ${problem}`,
    });
    throw new ApprovalMismatchError(approval?.code ?? id, problem);
  }

  /**
   * Settles a question by a person's answer; the first one counts.
   * @param idOrCode - which
   * @param answer - what was decided
   * @param actor - who decided
   * @param alongside - writes what is to be stored with the decision, in its transaction
   * @returns the question as settled, once plugins have been told
   * @throws ApprovalNotFoundError, NotAuthorizedToApproveError, ApprovalMismatchError,
   *   DecisionNotAllowedError, ApprovalAlreadyDecidedError
   */
  async decide(
    idOrCode: string,
    answer: ApprovalAnswer,
    actor: ApprovalActor,
    alongside?: Alongside,
  ): Promise<Approval> {
    return await this.#settlements.answer(idOrCode, answer, actor, alongside);
  }

  /**
   * Cancels the pending approval requests of a run, a session or a plugin.
   * @param owner - owner of the requests
   * @param by - what cancelled them, for example `interrupt`
   */
  async cancelFor(owner: ApprovalOwner, by: string): Promise<readonly Approval[]> {
    return await this.#settlements.cancel(owner, by);
  }

  /**
   * Returns whether a person may answer an approval request (APPR-028).
   * @param actor - the person
   * @param approval - the request
   */
  mayAnswer(actor: ApprovalActor, approval: Pick<Approval, "requester">): boolean {
    return this.#settlements.mayAnswer(actor, approval);
  }

  /** Settles every question whose time has passed, wherever it was asked. */
  async expire(): Promise<readonly Approval[]> {
    return await this.#settlements.expire();
  }

  /** Ends grants; see {@link revokeGrants}. */
  async revoke(which: RevokedGrants, actor?: ApprovalActor): Promise<readonly ApprovalGrant[]> {
    return await revokeGrants(this.#store, which, actor);
  }

  /** Lets a session's tools run without questions for a while; see {@link elevateSession}. */
  async elevate(
    session: ElevatedSession,
    actor: ApprovalActor,
    seconds?: number,
  ): Promise<ApprovalGrant> {
    return await elevateSession(this.#store, session, actor, seconds);
  }

  /** Ends that; see {@link lowerSession}. */
  async lower(sessionKey: string, actor: ApprovalActor): Promise<readonly ApprovalGrant[]> {
    return await lowerSession(this.#store, sessionKey, actor);
  }

  /**
   * Tells of every question once it is stored.
   * @returns ends it
   */
  onAsked(listener: ApprovalListener): () => void {
    this.#asked.add(listener);
    return () => void this.#asked.delete(listener);
  }

  /**
   * Tells of every question that this process settled, once its plugins know.
   * @returns ends it
   */
  onDecided(listener: ApprovalListener): () => void {
    this.#decided.add(listener);
    return () => void this.#decided.delete(listener);
  }

  /**
   * Waits until a question is settled.
   * @param id - of the question
   * @param signal - ends the wait, not the question
   * @throws ApprovalNotFoundError, or the signal's reason
   */
  async settled(id: string, signal: AbortSignal): Promise<Approval> {
    let stop = () => {};
    const decided = new Promise<Approval>((resolve) => {
      stop = this.onDecided((approval) => {
        if (approval.id === id) resolve(approval);
      });
    });
    try {
      const now = await this.#store.decisions.approvals.get(id);
      if (now === undefined) throw new ApprovalNotFoundError(id);
      return now.state === "pending" ? await waitUnlessAborted(signal, () => decided) : now;
    } finally {
      stop();
    }
  }

  async #create(
    request: NewApproval,
    facts: AuditedFacts,
    onResolution: OnResolution | undefined,
    alongside?: Alongside,
  ): Promise<ApprovalVerdict> {
    const approval = await this.#store.transaction(async (unit) => {
      const created = await unit.decisions.approvals.create(request);
      await unit.decisions.auditLog.append({ ...facts, ...auditedRow(created), event: "created" });
      await alongside?.(unit, created);
      // Before anybody can answer it.
      if (onResolution !== undefined) this.#resolutions.expect(created.id, onResolution);
      return created;
    });
    this.#expiry.arm();
    for (const listener of [...this.#asked]) listener(approval);
    return { status: "pending", approval };
  }

  async #refuse(
    request: ApprovalRequest,
    digest: string,
    reason: string,
  ): Promise<ApprovalVerdict> {
    const facts = auditedCall(request, digest);
    await this.#store.decisions.auditLog.append({
      ...facts,
      event: "refused",
      reason: auditedReason(reason),
    });
    await this.#resolutions.tellAsker(request, "deny");
    return { status: "denied", reason, cancelled: false };
  }
}

/** A grant covers only what can run as parsed, so nothing else is granted for longer. */
function withoutGrant(request: ApprovalRequest): ApprovalRequest {
  const { allowedDecisions = ["allow-once", "deny"] } = request;
  return {
    ...request,
    allowedDecisions: allowedDecisions.filter((decision) => decision !== "allow-always"),
  };
}
