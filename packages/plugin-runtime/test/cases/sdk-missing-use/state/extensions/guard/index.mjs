import { inspectCall } from "openclaw/plugin-sdk/no-such-part";
import absent, {
  createLog,
  definePluginEntry,
  LIMITS,
  Queue,
} from "openclaw/plugin-sdk/plugin-entry";
import "openclaw/plugin-sdk/no-effects";

const log = createLog("guard").child({ depth: LIMITS.depth });

class CallQueue extends Queue {}

export { LIMITS };

export default definePluginEntry({
  id: "guard",
  name: [absent === undefined, {} instanceof Queue, typeof log].join(" "),
  register(api) {
    api.on("before_tool_call", ({ toolName }) => {
      if (toolName === "log") return log.info("called");
      if (toolName === "queue") return new CallQueue();
      return inspectCall(toolName);
    });
  },
});
