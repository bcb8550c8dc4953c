import { isSection } from "@openclaw/messaging";
import type { OlderInboundContext, OlderReplyOptions } from "@openclaw/plugin-sdk/channel-core";
import { boundMethod } from "../method.js";
import { buildInboundContext } from "./inbound-facts.js";
import type { ReplyGroup } from "./reply.js";

type Section = Readonly<Record<string, unknown>>;

/**
 * Creates `runtime.channel.inbound`, with which newer plugins hand over a message in steps.
 * @param reply - `runtime.channel.reply`
 */
export function createInboundGroup(reply: ReplyGroup) {
  const dispatchTurn = async (turn: Section) => {
    const { ctxPayload, admission } = turn;
    const ctx: OlderInboundContext = isSection(ctxPayload) ? ctxPayload : {};
    await boundMethod(turn.afterRecord, turn)?.();
    const isObserved = isSection(admission) && admission.kind === "observeOnly";
    const facts = {
      admission: isSection(admission) ? admission : { kind: "dispatch" },
      ctxPayload: ctx,
      routeSessionKey: ctx.SessionKey ?? "",
    };
    if (isObserved) return { ...facts, dispatched: false };
    const run = boundMethod(turn.runDispatch, turn);
    const dispatchResult =
      run === undefined
        ? await reply.dispatchReplyWithBufferedBlockDispatcher({
            ctx,
            dispatcherOptions: optionsOf(turn),
          })
        : await run();
    return { ...facts, dispatched: true, dispatchResult };
  };
  return {
    buildContext: buildInboundContext,
    dispatchReply: dispatchTurn,
    dispatch: dispatchTurn,
    runPreparedReply: dispatchTurn,
    runPrepared: dispatchTurn,
    runAssembled: dispatchTurn,
    /** Runs the steps of a message: read, check, resolve, dispatch. */
    async run({ raw, adapter }: { readonly raw: unknown; readonly adapter: Section }) {
      const step = async (name: string, ...given: readonly unknown[]) =>
        await boundMethod(adapter[name], adapter)?.(...given);
      const input = await step("ingest", raw);
      if (!isSection(input)) return ended({ kind: "drop", reason: "ingest-null" });
      const event = (await step("classify", input)) ?? { kind: "message", canStartAgentTurn: true };
      if (isSection(event) && event.canStartAgentTurn === false) {
        return ended({ kind: "handled", reason: `event:${String(event.kind)}` });
      }
      const checked = await step("preflight", input, event);
      const refused = refusalOf(checked);
      if (refused !== undefined) return ended(refused);
      const facts = isSection(checked) && !("kind" in checked) ? checked : {};
      const turn = await step("resolveTurn", input, event, facts);
      if (!isSection(turn)) return ended({ kind: "drop", reason: "no-turn" });
      const result = await dispatchTurn(turn);
      await step("onFinalize", result);
      return result;
    },
  };
}

/** Delivery and typing of a turn, in the form of the options of a dispatcher. */
function optionsOf(turn: Section): OlderReplyOptions {
  const delivery = isSection(turn.delivery) ? turn.delivery : {};
  const dispatcher = isSection(turn.dispatcherOptions) ? turn.dispatcherOptions : {};
  const pipeline = isSection(turn.replyPipeline) ? turn.replyPipeline : {};
  const deliver =
    boundMethod(delivery.deliver, delivery) ??
    boundMethod(delivery.deliverWithProviderMessageSending, delivery);
  const prepare = boundMethod(delivery.preparePayload, delivery);
  const delivered = boundMethod(delivery.onDelivered, delivery);
  return {
    ...pipeline,
    ...dispatcher,
    async deliver(given, info) {
      const reply = prepare === undefined ? given : await prepare(given, info);
      if (reply === null) return undefined;
      const result = await deliver?.(reply, info);
      await delivered?.(reply, info, result);
      return result;
    },
    onError: (error, info) => boundMethod(delivery.onError, delivery)?.(error, info),
  };
}

/** A check returns facts, or a decision against the message. */
function refusalOf(checked: unknown): Section | undefined {
  if (!isSection(checked)) return undefined;
  const { admission } = checked;
  const decision = isSection(admission) ? admission : checked;
  return decision.kind === "drop" || decision.kind === "handled" ? decision : undefined;
}

function ended(admission: Section) {
  return { admission, dispatched: false };
}
