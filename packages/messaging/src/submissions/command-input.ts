import {
  type ApprovalBroker,
  boundInput,
  givenInput,
  MAXIMUM_ROUNDS,
  type OwnInputRequest,
  pluginDigest,
} from "@openclaw/approval-broker";
import { defined, jsonCopy } from "@openclaw/foundation";
import type { JsonObject, ToolInput } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { ApprovalRequester } from "@openclaw/store/decisions";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { ApproverPresence } from "../approvals/approver-presence.js";
import type { ApprovalRequestDelivery } from "../approvals/request-delivery.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import { sessionLineage } from "../sessions/lineage.js";

const text = Type.String();
const storedCommand = Type.Object({
  approvalId: text,
  /** Plugin and name of the registered command. */
  pluginId: text,
  command: text,
  /** Name as sent, which may be that of a variant. */
  name: text,
  args: text,
  /** Name and state of the input request. */
  inputName: text,
  state: Type.Optional(Type.Unknown()),
  /** Number of the request among those of the command, from 1. */
  round: Type.Integer(),
  /** Answer, once the command has it. */
  given: Type.Optional(Type.Unknown()),
});

/** Command that waits for input, as it is stored with its message. */
type StoredCommand = Static<typeof storedCommand>;

/** Command of a plugin as it was sent. */
export type CalledCommand = Pick<StoredCommand, "pluginId" | "command" | "name" | "args">;

/** Input with which a command runs once more. */
export interface GivenInput {
  readonly called: CalledCommand;
  readonly input: ToolInput;
  readonly round: number;
}

/** Dependencies of {@link CommandInputs}. */
export interface CommandInputDependencies {
  readonly store: Pick<
    Store,
    "transaction" | "messages" | "decisions" | "sessions" | "jobs" | "routines"
  >;
  readonly approvals: Pick<ApprovalBroker, "request" | "settled" | "verdict">;
  readonly presence: Pick<ApproverPresence, "isAttended">;
  readonly approvalRequests: Pick<ApprovalRequestDelivery, "attend">;
}

const CHANGED =
  "What is stored about this command, which waited for input, was changed. The command was not continued; send it again.";

/** Asks people for the input of commands of plugins. A request is stored with the message of its command (EXT-505). */
export class CommandInputs {
  readonly #dependencies: CommandInputDependencies;

  /** @param dependencies - store, approval requests and approvers */
  constructor(dependencies: CommandInputDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Asks the sender of a command, and every approver of the session.
   * @param request - its input request
   * @param round - number of the request among those of the command, from 1
   * @param routed - message that is the command
   * @returns `cancel` as the input where no person can answer, or the command was answered too often
   */
  async ask(
    called: CalledCommand,
    { name, message, schema, url, state }: OwnInputRequest,
    round: number,
    routed: RoutedMessage,
  ): Promise<AwaitedInput | GivenInput> {
    const cancelled = { called, round, input: givenInput({ name, state }, undefined) };
    if (round > MAXIMUM_ROUNDS) return cancelled;
    const { approvals, store } = this.#dependencies;
    const { sessionKey, agentId } = routed.route;
    const waiting = this.#attend(routed);
    try {
      const lineage = await sessionLineage(sessionKey, store);
      const verdict = await approvals.request(
        {
          ...{ pluginId: called.pluginId, sessionKey, agentId, isOfHost: true },
          title: `/${called.name} asks for input`,
          description: message,
          severity: "info",
          payload: payloadOf(called, { message, schema, ...defined({ url, state }) }, round),
          input: { name, message, schema, ...defined({ url }) },
          requester: senderOf(routed),
          isAttended: this.#dependencies.presence.isAttended(lineage, "tool"),
        },
        undefined,
        async (unit: Store, { id: approvalId }) => {
          const stored = { ...called, approvalId, inputName: name, round, ...defined({ state }) };
          await unit.messages.inbox.setRequest(routed.row.id, requestWith(stored, routed));
        },
      );
      if (verdict.status === "pending") {
        const stored = { ...called, approvalId: verdict.approval.id, inputName: name, round };
        return new AwaitedInput({ ...stored, ...defined({ state }) }, waiting);
      }
      waiting.end();
      return cancelled;
    } catch (error) {
      waiting.end();
      throw error;
    }
  }

  /**
   * Returns the command that a message of an earlier process waits with.
   * @returns undefined for a message that does not wait
   */
  restored(routed: RoutedMessage): AwaitedInput | undefined {
    const stored = routed.message.awaitedInput;
    if (!Check(storedCommand, stored)) return undefined;
    return new AwaitedInput(stored, this.#attend(routed));
  }

  /**
   * Waits until a request is decided.
   * @param awaited - the command
   * @param signal - ends the wait; the request stays pending
   * @throws the reason of the signal
   */
  async decided(awaited: AwaitedInput, signal: AbortSignal): Promise<void> {
    try {
      if (awaited.stored.given !== undefined) return;
      await this.#dependencies.approvals.settled(awaited.stored.approvalId, signal);
    } finally {
      awaited.end();
    }
  }

  /**
   * Returns the input of a command whose request was decided, and forgets the values of the request.
   * @param awaited - the command
   * @param routed - message that is the command
   * @returns a sentence for the sender when the decision is not about exactly the stored command
   */
  async received({ stored }: AwaitedInput, routed: RoutedMessage): Promise<GivenInput | string> {
    const { store, approvals } = this.#dependencies;
    const { approvalId, inputName: name, round, given } = stored;
    const { pluginId, command, name: sent, args } = stored;
    const called = { pluginId, command, name: sent, args };
    // Only this class writes what is stored with the message.
    if (given !== undefined) return { called, round, input: given as ToolInput };
    const state = stored.state === undefined ? undefined : jsonCopy(stored.state);
    const verdict = await approvals.verdict(approvalId);
    const input = givenInput({ name, state }, verdict);
    const isBound = await store.transaction(async (unit) => {
      const approval = await unit.decisions.approvals.get(approvalId);
      if (approval?.input === undefined) return false;
      const { digest, sessionKey, requester } = approval;
      const asked = { ...approval.input, ...defined({ state }) };
      const payload = payloadOf(called, asked, round);
      const bound = { payload, input: approval.input, sessionKey, requester };
      if (digest !== pluginDigest(bound)) return false;
      await unit.messages.inbox.setRequest(
        routed.row.id,
        requestWith({ ...stored, given: input }, routed),
      );
      await unit.decisions.approvals.forgetAnswer(approvalId);
      return true;
    });
    return isBound ? { called, round, input } : CHANGED;
  }

  /** Until the answer, the sender sees the requests of the session. */
  #attend({ caller, message: address, row, context, route }: RoutedMessage): { end(): void } {
    const { sessionKey } = route;
    const inboxId = row.id;
    const { approvalRequests } = this.#dependencies;
    return approvalRequests.attend({ caller, address, context, sessionKey, inboxId });
  }
}

/** Command that waits for input. */
export class AwaitedInput {
  readonly stored: StoredCommand;
  readonly #attending: { end(): void };

  /** @param attending - shows the request to the sender until its `end` */
  constructor(stored: StoredCommand, attending: { end(): void }) {
    this.stored = stored;
    this.#attending = attending;
  }

  /** Stops showing requests to the sender. */
  end(): void {
    this.#attending.end();
  }
}

function payloadOf(
  { pluginId, command, name, args }: CalledCommand,
  asked: Omit<OwnInputRequest, "name">,
  round: number,
) {
  return jsonCopy(boundInput({ pluginId, command, name, args }, asked, round));
}

function requestWith(stored: StoredCommand, { row }: RoutedMessage): JsonObject {
  return jsonCopy({ ...row.request, awaitedInput: stored }) as JsonObject;
}

function senderOf({ admitted }: RoutedMessage): ApprovalRequester {
  const { channel, accountId = "default", senderId, senderIsOwner } = admitted;
  return { channel, accountId, senderId, ...(senderIsOwner ? { isOwner: true } : {}) };
}
