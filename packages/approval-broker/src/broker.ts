import { BackgroundTasks, errorMessage, systemClock, type Timers } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ApprovalNeed } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type {
  Approval,
  ApprovalGrant,
  ApprovalOwner,
  ApprovalVote,
} from "@openclaw/store/decisions";
import type { ApprovalActor } from "./actor.js";
import { ApprovalChanges, type ApprovalListener } from "./changes.js";
import { ApprovalNotFoundError } from "./errors.js";
import { beginExecution, type GivenApproval } from "./execution.js";
import { ApprovalExpiry, holdRequest } from "./expiry.js";
import type { CommandPlace } from "./grant-key.js";
import {
  type ElevatedSession,
  elevateSession,
  lowerSession,
  type RevokedGrants,
  revokeGrants,
} from "./grants.js";
import { COMMAND_TOOL } from "./need.js";
import { NewRequests } from "./new-requests.js";
import { type ApprovalRequest, askingJob, type PluginApprovalRequest } from "./request.js";
import { ApprovalResolutions, type NotifyPlugin, type OnResolution } from "./resolutions.js";
import { type ApprovalSettings, settingsGetter } from "./settings.js";
import { type Alongside, type ApprovalAnswer, ApprovalSettlements } from "./settlement.js";
import { traceDecided, traceRequested } from "./tracing.js";
import { type ApprovalVerdict, type NewCallVerdict, verdictOf } from "./verdict.js";

/** Options of an {@link ApprovalBroker}. */
export interface ApprovalBrokerOptions {
  readonly store: Store;
  /** Settings, or a function that returns those in force. */
  readonly settings?: ApprovalSettings | (() => ApprovalSettings) | undefined;
  readonly logger: Logger;
  /** Folders and `PATH` that decide which programs a command runs, or a function that returns them. */
  readonly place: CommandPlace | (() => CommandPlace);
  /** Timers; those of the process when absent. */
  readonly timers?: Timers | undefined;
  /** Background tasks of the host, of which the expiry becomes one; when absent, the expiry is not listed. */
  readonly tasks?: Pick<BackgroundTasks, "add"> | undefined;
  /** Notifies a plugin of a decision about an approval request of an earlier process. */
  readonly notifyPlugin?: NotifyPlugin | undefined;
}

/**
 * Requests approval of calls and settles the requests. Each request is stored before anyone sees
 * it, is settled once, and allows at most one execution. Requests survive the end of the process.
 */
export class ApprovalBroker {
  readonly #store: Store;
  readonly #settings: () => ApprovalSettings;
  readonly #expiry: ApprovalExpiry;
  readonly #resolutions: ApprovalResolutions;
  readonly #settlements: ApprovalSettlements;
  readonly #requests: NewRequests;
  readonly #changes: ApprovalChanges;

  /** @param options - store, settings and other dependencies */
  constructor(options: ApprovalBrokerOptions) {
    const { store, logger, timers = systemClock, notifyPlugin } = options;
    const settings = settingsGetter(options.settings ?? {});
    const place = settingsGetter(options.place);
    this.#store = store;
    this.#settings = settings;
    this.#resolutions = new ApprovalResolutions({ store, logger, timers, notifyPlugin });
    this.#changes = new ApprovalChanges({
      ...{ store, timers, logger },
      received: async (change, approval) => {
        if (change === "decided") await this.#resolutions.notifyCaller(approval);
        else this.#expiry.arm();
      },
    });
    this.#settlements = new ApprovalSettlements({
      ...{ store, settings, changes: this.#changes },
      settled: async (approval) => {
        await this.#resolutions.notify(approval);
        traceDecided(approval);
        this.#changes.notify("decided", approval);
      },
    });
    const failed = (problem: string) => logger.error(problem, { code: "APPROVAL_EXPIRY_FAILED" });
    this.#expiry = new ApprovalExpiry({
      store,
      tasks: options.tasks ?? new BackgroundTasks({ timers, now: Date.now, failed }),
      expire: () => this.#settlements.expire(),
      failed: (error) =>
        failed(`the next expiry of approval requests is not known: ${errorMessage(error)}`),
    });
    this.#requests = new NewRequests({
      ...{ store, settings, logger, place, changes: this.#changes },
      resolutions: this.#resolutions,
      created: (approval) => {
        this.#expiry.arm();
        traceRequested(approval);
        this.#changes.notify("requested", approval);
      },
    });
  }

  /**
   * Returns the approval need of a tool after the operator's settings.
   * @param toolName - canonical name
   * @param declared - need that the tool declares for the call
   */
  need(toolName: string, declared: ApprovalNeed): ApprovalNeed {
    const { needs = {} } = this.#settings();
    return (Object.hasOwn(needs, toolName) ? needs[toolName] : undefined) ?? declared;
  }

  /**
   * Returns whether a command would run in a sandbox once a person allows it.
   * @param approval - approval request
   * @returns undefined for a request of another kind
   */
  runsInSandbox({ tool }: Pick<Approval, "tool">): boolean | undefined {
    return tool === COMMAND_TOOL ? this.#settings().sandboxesAllowed === true : undefined;
  }

  /**
   * Returns the job for which an approval is requested, so that a person knows which work asks (JOB-015).
   * @param approval - approval request
   * @returns undefined for a request of a conversation
   */
  async jobOf({ sessionKey }: Pick<Approval, "sessionKey">): ReturnType<typeof askingJob> {
    return await askingJob(sessionKey, this.#store);
  }

  /** Returns the votes about a request that several people must allow; none about any other one. */
  async votesOf({ id, quorum }: Pick<Approval, "id" | "quorum">): Promise<readonly ApprovalVote[]> {
    return quorum === undefined ? [] : await this.#store.decisions.votes.list(id);
  }

  /**
   * Continues the work of an earlier process: expires requests and notifies plugins that were not
   * notified. Call it once plugins can be notified.
   */
  async start(): Promise<void> {
    await this.expire();
    await this.#resolutions.notifyPending();
    this.#expiry.arm();
  }

  /**
   * Notifies the plugins of decisions that a node which is gone did not report. Call it when work was taken over.
   */
  async takeOver(): Promise<void> {
    await this.#resolutions.notifyPending();
    this.#expiry.arm();
  }

  /** Stops the expiry timer. Pending requests persist for the next process. */
  async close(): Promise<void> {
    await this.#expiry.close();
    await this.#resolutions.close();
    await this.#changes.close();
  }

  /**
   * Returns the verdict for a call, and stores an approval request when a person must decide.
   * @param request - approval request of the call
   * @param alongside - writes further data in the transaction that stores the request
   */
  async ask(request: ApprovalRequest, alongside?: Alongside): Promise<NewCallVerdict> {
    return await this.#requests.ask(request, alongside);
  }

  /** Keeps a pending request from expiring under a person who is reading it (APPR-013); see {@link holdRequest}. */
  async hold(idOrCode: string): Promise<Approval> {
    await this.expire();
    const held = await holdRequest(idOrCode, this.#store, this.#changes);
    this.#expiry.arm();
    return held;
  }

  /** True when a request without a reachable approver waits for one; otherwise it is denied at once. */
  get waitsForApprovers(): boolean {
    return this.#settings().headless === "wait";
  }

  /** Requests approval of an action that is not a tool call (APPR-006); see {@link NewRequests.request}. */
  async request(
    request: PluginApprovalRequest,
    onResolution?: OnResolution,
    alongside?: Alongside,
  ): Promise<ApprovalVerdict> {
    return await this.#requests.request(request, onResolution, alongside);
  }

  /**
   * Returns the verdict of a stored approval request.
   * @param id - ID of the request
   * @throws ApprovalNotFoundError
   */
  async verdict(id: string): Promise<ApprovalVerdict> {
    await this.expire();
    const approval = await this.#store.decisions.approvals.get(id);
    if (approval === undefined) throw new ApprovalNotFoundError(id);
    return verdictOf(approval, this.#settings());
  }

  /** Starts the single execution that a decision allows; see {@link beginExecution}. */
  async begin(given: GivenApproval, alongside: (unit: Store) => Promise<void>): Promise<void> {
    await beginExecution(given, this.#store, alongside);
  }

  /**
   * Settles an approval request with a person's decision; the first decision counts.
   * @param idOrCode - ID or code of the request
   * @param answer - decision
   * @param actor - person who decided
   * @param alongside - writes further data in the transaction that stores the decision
   * @returns the settled request, once plugins have been notified, or the pending one when more people must allow it
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

  /** Cancels pending approval requests; see {@link ApprovalSettlements.cancel}. */
  async cancelFor(owner: ApprovalOwner, by: string): Promise<readonly Approval[]> {
    return await this.#settlements.cancel(owner, by);
  }

  /**
   * Returns whether a person may answer an approval request (APPR-028).
   * @param actor - the person
   * @param approval - the request
   */
  mayAnswer(actor: ApprovalActor, approval: Pick<Approval, "requester" | "input">): boolean {
    return this.#settlements.mayAnswer(actor, approval);
  }

  /** Settles every expired approval request, including those of other processes. */
  async expire(): Promise<readonly Approval[]> {
    return await this.#settlements.expire();
  }

  /** Revokes grants; see {@link revokeGrants}. */
  async revoke(which: RevokedGrants, actor?: ApprovalActor): Promise<readonly ApprovalGrant[]> {
    return await revokeGrants(this.#store, which, actor);
  }

  /**
   * Lets the tools of a session run without approval for a limited time; see {@link
   * elevateSession}.
   */
  async elevate(
    session: ElevatedSession,
    actor: ApprovalActor,
    seconds?: number,
  ): Promise<ApprovalGrant> {
    return await elevateSession(this.#store, session, actor, seconds);
  }

  /** Ends elevated mode; see {@link lowerSession}. */
  async lower(sessionKey: string, actor: ApprovalActor): Promise<readonly ApprovalGrant[]> {
    return await lowerSession(this.#store, sessionKey, actor);
  }

  /**
   * Subscribes to approval requests, each once it is stored.
   * @returns a function that ends the subscription
   */
  onRequested(listener: ApprovalListener): () => void {
    return this.#changes.add("requested", listener);
  }

  /**
   * Subscribes to changes of pending approval requests, such as a later expiry.
   * @returns a function that ends the subscription
   */
  onUpdated(listener: ApprovalListener): () => void {
    return this.#changes.add("updated", listener);
  }

  /**
   * Subscribes to the approval requests that are settled, by this node or another one, each once the plugins of this
   * node are notified.
   * @returns a function that ends the subscription
   */
  onDecided(listener: ApprovalListener): () => void {
    return this.#changes.add("decided", listener);
  }

  /**
   * Waits until an approval request is settled.
   * @param id - ID of the request
   * @param signal - ends the wait; the request stays pending
   * @throws ApprovalNotFoundError, or the reason of the signal
   */
  async settled(id: string, signal: AbortSignal): Promise<Approval> {
    return await this.#changes.settled(id, signal);
  }
}
