import type { Logger } from "@openclaw/plugin-sdk";
import type { Store } from "@openclaw/store";
import type { Approval, NewApproval } from "@openclaw/store/decisions";
import { type AuditedFacts, auditedCall, auditedReason, auditedRow } from "./audit.js";
import { assessCall, type CallAssessment, type CallAssessor } from "./call-assessment.js";
import type { ApprovalChanges } from "./changes.js";
import type { CommandPlace } from "./grant-key.js";
import type { ApprovalRequest, PluginApprovalRequest } from "./request.js";
import type { ApprovalResolutions, OnResolution } from "./resolutions.js";
import type { ApprovalSettings } from "./settings.js";
import type { Alongside } from "./settlement.js";
import { storablePluginRequest } from "./storable-request.js";
import type { ApprovalVerdict, NewCallVerdict } from "./verdict.js";

/** Dependencies of {@link NewRequests}. */
export interface NewRequestsDependencies {
  readonly store: Store;
  /** Returns the settings in force. */
  settings(): ApprovalSettings;
  readonly logger: Logger;
  /** Returns the folders and `PATH` that decide which programs a command runs. */
  place(): CommandPlace;
  /** Notifies the plugins of the outcome. */
  readonly resolutions: ApprovalResolutions;
  /** Announces requests to other nodes. */
  readonly changes: Pick<ApprovalChanges, "announce">;
  /**
   * Called with each request once it is stored.
   * @param approval - pending request
   */
  created(approval: Approval): void;
}

/** Decides which calls and actions need a person, and stores a request for each of these. */
export class NewRequests {
  readonly #parts: NewRequestsDependencies;

  /** @param parts - store, settings and the receiver of requests */
  constructor(parts: NewRequestsDependencies) {
    this.#parts = parts;
  }

  /** One call is assessed with the settings of one moment. */
  #assessor(): CallAssessor {
    const { store, settings: current, place } = this.#parts;
    const settings = current();
    return { store, settings, place: place(), approvedTools: new Set(settings.approvedTools) };
  }

  /**
   * Returns the verdict for a call, and stores an approval request when a person must decide.
   * @param request - approval request of the call
   * @param alongside - writes further data in the transaction that stores the request
   */
  async ask(request: ApprovalRequest, alongside?: Alongside): Promise<NewCallVerdict> {
    const assessment = await assessCall(request, this.#assessor());
    switch (assessment.status) {
      case "allowed": {
        const { audit, authority } = assessment;
        if (audit === undefined) return { status: "allowed" };
        await this.#parts.store.decisions.auditLog.append(audit);
        await this.#parts.resolutions.notifyRequester(request, "allow-always");
        return { status: "allowed", ...(authority === undefined ? {} : { authority }) };
      }
      case "denied":
        return await this.#deny(request, assessment);
      case "inapplicable":
        return assessment;
      case "unsettled": {
        const { approval, digest, clamped } = assessment;
        const { runId, onResolution } = request;
        if (clamped !== undefined) {
          this.#parts.logger.warn(clamped, { code: "APPROVAL_TIMEOUT_CLAMPED", runId });
        }
        const facts = auditedCall(request, digest);
        return await this.#create(approval, facts, onResolution?.bind(request), alongside);
      }
    }
  }

  /**
   * Requests approval of an action that is not a tool call (APPR-006).
   * @param request - request of a plugin
   * @param onResolution - called in this process with the outcome
   * @param alongside - writes further data in the transaction that stores the request
   */
  async request(
    request: PluginApprovalRequest,
    onResolution?: OnResolution,
    alongside?: Alongside,
  ): Promise<ApprovalVerdict> {
    const settings = this.#parts.settings();
    const { approval, clamped } = storablePluginRequest(request, settings);
    const { sessionKey, digest } = approval;
    const { pluginId } = request;
    if (!request.isAttended && settings.headless !== "wait") {
      const reason = `no approver reachable for plugin "${pluginId}"`;
      await this.#parts.store.decisions.auditLog.append({
        event: "refused",
        sessionKey,
        digest,
        reason,
      });
      return { status: "denied", reason, cancelled: false, isUndecided: true };
    }
    if (clamped !== undefined) {
      this.#parts.logger.warn(clamped, { code: "APPROVAL_TIMEOUT_CLAMPED", pluginId });
    }
    return await this.#create(approval, {}, onResolution, alongside);
  }

  async #create(
    request: NewApproval,
    facts: AuditedFacts,
    onResolution: OnResolution | undefined,
    alongside?: Alongside,
  ): Promise<ApprovalVerdict> {
    const approval = await this.#parts.store.transaction(async (unit) => {
      const created = await unit.decisions.approvals.create(request);
      await unit.decisions.auditLog.append({ ...facts, ...auditedRow(created), event: "created" });
      await alongside?.(unit, created);
      this.#parts.changes.announce(unit, "requested", created.id);
      // Registered before the request can be decided.
      if (onResolution !== undefined) this.#parts.resolutions.expect(created.id, onResolution);
      return created;
    });
    this.#parts.created(approval);
    return { status: "pending", approval };
  }

  async #deny(
    request: ApprovalRequest,
    { digest, reason, isUndecided }: Extract<CallAssessment, { status: "denied" }>,
  ): Promise<ApprovalVerdict> {
    const facts = auditedCall(request, digest);
    await this.#parts.store.decisions.auditLog.append({
      ...facts,
      event: "refused",
      reason: auditedReason(reason),
    });
    await this.#parts.resolutions.notifyRequester(request, "deny");
    return { status: "denied", reason, cancelled: false, isUndecided };
  }
}
