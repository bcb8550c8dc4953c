import type { HookName } from "./map.js";

/** All hook names in the order of the catalog. The compiler checks that the list is complete. */
const names = {
  gateway_pre_start: true,
  gateway_start: true,
  gateway_pre_stop: true,
  gateway_stop: true,
  cron_changed: true,
  before_install: true,
  session_start: true,
  session_end: true,
  before_reset: true,
  before_compaction: true,
  after_compaction: true,
  transcribe_audio: true,
  message_receiving: true,
  message_received: true,
  inbound_claim: true,
  request_post: true,
  before_dispatch: true,
  reply_dispatch: true,
  message_sending: true,
  message_sent: true,
  response_error: true,
  before_agent_reply: true,
  before_model_resolve: true,
  before_agent_start: true,
  agent_turn_prepare: true,
  heartbeat_prompt_contribution: true,
  before_prompt_build: true,
  before_agent_run: true,
  model_call_started: true,
  model_call_ended: true,
  llm_input: true,
  llm_output: true,
  before_agent_finalize: true,
  transform_response: true,
  agent_error: true,
  agent_end: true,
  before_recall: true,
  after_recall: true,
  before_tool_call: true,
  after_tool_call: true,
  tool_error: true,
  tool_result_persist: true,
  before_message_write: true,
  subagent_spawning: true,
  subagent_spawned: true,
  subagent_delivery_target: true,
  subagent_ended: true,
} as const satisfies Record<HookName, true>;

/** Name of a hook in this version of the SDK. */
export type CataloguedHookName = keyof typeof names;

/** All hook names of the catalog, frozen (SDK-016). */
export const HOOK_NAMES: readonly CataloguedHookName[] = Object.freeze(
  Object.keys(names) as CataloguedHookName[],
);

/** Returns whether a string is the name of a hook in the catalog. */
export function isHookName(value: string): value is CataloguedHookName {
  return Object.hasOwn(names, value);
}
