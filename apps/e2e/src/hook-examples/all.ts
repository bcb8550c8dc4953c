import type { CataloguedHookName } from "@openclaw/plugin-sdk/hooks";
import type { HookExamples } from "./example.js";
import { inboundExamples } from "./inbound.js";
import { lifecycleExamples } from "./lifecycle.js";
import { modelExamples } from "./model.js";
import { outboundExamples } from "./outbound.js";
import { recallExamples } from "./recall.js";
import { sessionExamples } from "./session.js";
import { subagentExamples } from "./subagent.js";
import { toolExamples } from "./tool.js";
import { turnExamples } from "./turn.js";

/** The example of every hook. */
export const HOOK_EXAMPLES: HookExamples<CataloguedHookName> = {
  ...lifecycleExamples,
  ...sessionExamples,
  ...inboundExamples,
  ...outboundExamples,
  ...turnExamples,
  ...modelExamples,
  ...recallExamples,
  ...toolExamples,
  ...subagentExamples,
};
