import type { ResolvedModel } from "@openclaw/models";
import type { ToolOutput } from "@openclaw/plugin-sdk/tools";
import type { TurnScope } from "../context/scope.js";
import type { RequestedCall } from "../tool-call/authorize.js";
import type { ModelReply } from "../turn/model-call.js";

/**
 * What models and tools said in a recorded run, in place of asking them: the two places of a turn that
 * reach outside the host (TURN-057).
 */
export interface RecordedAnswers {
  /**
   * The reply to the request that was journaled last.
   * @param model - that would be asked
   * @throws the recorded failure where there was no reply
   */
  reply(model: ResolvedModel): Promise<ModelReply>;
  /**
   * What a call gave.
   * @param call - which is let through
   * @param turn - the replayed turn
   */
  output(call: RequestedCall, turn: TurnScope): Promise<ToolOutput>;
}
