import type { Logger } from "@openclaw/plugin-sdk";
import {
  type Finding,
  type InputInspection,
  inspectInput,
  type SafetySettings,
} from "@openclaw/safety";
import { MessageRefusedError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";
import type { StoredMessage } from "../messages/stored-message.js";

/** Dependencies of {@link MessageInspection}. */
export interface MessageInspectionDependencies {
  /** Returns rules and limits of the safety engine, `safety`. */
  safety(): Pick<SafetySettings, "rules" | "maxInputLength" | "forbidden">;
  readonly logger: Logger;
}

/** Inspects the text of messages before they are routed. */
export class MessageInspection {
  readonly #dependencies: MessageInspectionDependencies;

  /** @param dependencies - rules and log */
  constructor(dependencies: MessageInspectionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Inspects a message as the inbound hooks left it. A message of invalid form is rejected (SAFE-034). All else
   * is passed on unchanged unless the operator tuned a rule (SAFE-040): findings are logged, and the sender
   * is told of a secret.
   * @param stored - the message
   * @param message - the message after the inbound hooks
   * @returns the message to route, or why it is rejected
   */
  inspect(
    stored: StoredMessage,
    message: InboundMessage,
  ): { readonly message: InboundMessage } | { readonly refusal: MessageRefusedError } {
    const inspection = this.#inspect(message.text);
    const reason = reasonToRefuse(inspection);
    if (reason !== undefined) return { refusal: new MessageRefusedError("unacceptable", reason) };
    this.#report(stored, inspection);
    return { message: { ...message, text: inspection.content } };
  }

  /**
   * Returns true if inspection finds nothing in a text and leaves it as it is.
   * @param text - text of a message
   */
  isClean(text: string): boolean {
    const { errors, warnings, findings, modified, needsReview } = this.#inspect(text);
    return errors.length + warnings.length + findings.length === 0 && !modified && !needsReview;
  }

  #inspect(text: string): InputInspection {
    const { rules, maxInputLength, forbidden } = this.#dependencies.safety();
    return inspectInput(text, { rules, maxLength: maxInputLength, forbidden });
  }

  #report({ row, caller }: StoredMessage, { findings, warnings, modified }: InputInspection): void {
    const found = [...new Set([...findings, ...warnings].map(({ rule }) => rule))];
    if (found.length === 0) return;
    const secrets = [...new Set(findings.filter(isSecret).map(({ rule }) => rule))];
    const isGrave = findings.some(isSecret) || findings.some(isSevere) || warnings.length > 0;
    this.#dependencies.logger[isGrave ? "warn" : "debug"](
      `safety found in a message: ${found.join(", ")}`,
      { code: "MESSAGE_INSPECTED", messageId: row.id },
    );
    if (secrets.length === 0) return;
    const fate = modified ? "was removed from it" : "was passed on unchanged";
    caller.onNotice?.(
      `This message contains what looks like a secret (${secrets.join(", ")}), which ${fate}. Replace the secret if it was not meant to be shared.`,
    );
  }
}

function reasonToRefuse({ errors, findings, needsReview }: InputInspection): string | undefined {
  const [error] = errors;
  if (error !== undefined) return `the message was not accepted: ${error.message}`;
  const blocking = findings.find(({ action }) => action === "block");
  // Nobody but its sender reads a message before the turn, so a review has no approver.
  const rule = blocking ?? (needsReview ? findings.find(isReviewed) : undefined);
  return rule && `the message was not accepted: the operator's safety rule ${rule.rule} denies it`;
}

function isReviewed({ action }: Finding): boolean {
  return action === "review";
}

function isSecret({ kind, severity }: Finding): boolean {
  return kind === "leak" && (severity === "high" || severity === "critical");
}

function isSevere({ severity }: Finding): boolean {
  return severity === "high" || severity === "critical";
}
