import { Type } from "@sinclair/typebox";
import type { AnyAgentTool, OpenClawPluginApi } from "openclaw/plugin-sdk";
import {
  emptyPluginConfigSchema,
  jsonResult,
  optionalStringEnum,
  readNumberParam,
  readStringParam,
  stringEnum,
} from "openclaw/plugin-sdk";

const STATES = ["open", "done"] as const;

function createBoardTools(api: OpenClawPluginApi, channel: string | undefined): AnyAgentTool[] {
  const board: { title: string; state: string }[] = [];
  return [
    {
      name: "board_add",
      label: "Add to board",
      description: "Adds a task.",
      parameters: Type.Object({
        title: Type.String({ description: "What is to be done." }),
        state: optionalStringEnum(STATES),
      }),
      async execute(_toolCallId: string, params: Record<string, unknown>) {
        const title = readStringParam(params, "title", { required: true }) ?? "";
        board.push({ title, state: readStringParam(params, "state") ?? "open" });
        return jsonResult({ channel, count: board.length });
      },
    } as unknown as AnyAgentTool,
    {
      name: "board_list",
      label: "List board",
      description: "Lists tasks.",
      parameters: Type.Object({ state: stringEnum(STATES), limit: Type.Optional(Type.Number()) }),
      async execute(_toolCallId: string, params: Record<string, unknown>) {
        const limit = readNumberParam(params, "limit", { integer: true }) ?? 10;
        return jsonResult(board.filter(({ state }) => state === params.state).slice(0, limit));
      },
    } as unknown as AnyAgentTool,
  ];
}

const plugin = {
  id: "task-board",
  name: "Task board",
  description: "Keeps a board of tasks.",
  configSchema: emptyPluginConfigSchema(),
  register(api: OpenClawPluginApi) {
    api.registerTool((context) => createBoardTools(api, context.messageChannel), {
      names: ["board_add", "board_list"],
    });
    api.on("before_agent_start", async () => ({ prependContext: "There is a board of tasks." }));
  },
};

export default plugin;
