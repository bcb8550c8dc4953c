import type {
  ApprovalRecord,
  ApprovalRequest,
  ResolvedApproval,
} from "@openclaw/plugin-sdk/approvals";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk/plugin-entry";
import type { PluginServiceContext } from "@openclaw/plugin-sdk/services";
import type { PluginStore } from "@openclaw/plugin-sdk/store";
import type {
  AnyAgentTool,
  JsonValue,
  NestedToolCall,
  NestedToolResult,
  ToolFactoryContext,
  ToolResult,
} from "@openclaw/plugin-sdk/tools";
import type { Envelope } from "../../src/envelope/envelope.js";
import { createLobsterPlugin } from "../../src/plugin.js";
import { runInProcess } from "./in-process-runner.js";
import { MemorySecrets } from "./memory-secrets.js";
import { MortalProcess } from "./mortal.js";

const SESSION = "agent:main:main";
const requester = { channel: "terminal", channelId: "t", senderId: "me", senderIsOwner: true };

/** State that outlives a process: approval requests, effects of tools, and results that sessions were told. */
export class World {
  /** Names of the tools that were executed. */
  readonly executed: string[] = [];
  /** Results by the key under which a session is told once. */
  readonly told = new Map<string, string>();
  readonly approvals = new Map<string, ApprovalRecord>();
  /** Requests as the approver sees them. */
  readonly submitted: ApprovalRequest[] = [];
  readonly secrets = new MemorySecrets();

  /** Returns the pending requests. */
  get pending(): readonly ApprovalRecord[] {
    return [...this.approvals.values()].filter(({ decision }) => decision === undefined);
  }

  /** Returns the results of the run that its session was told. */
  get results(): readonly string[] {
    return [...this.told.values()];
  }
}

/** The plugin in one process of a gateway. */
export interface LobsterNode {
  /** Starts the service of the plugin, as a gateway does. */
  start(): Promise<void>;
  /** Calls the tool. */
  call(params: Readonly<Record<string, JsonValue>>): Promise<Envelope>;
  /** Decides an approval request as a person, in this process. */
  decide(id: string, decision?: "allow-once" | "deny"): Promise<void>;
}

/**
 * Creates the plugin in a process.
 * @param world - state that outlives the process
 * @param store - key-value store and databases of the plugin
 * @param mortal - the process; one that is not killed when absent
 */
export function lobsterNode(
  world: World,
  store: Pick<PluginStore, "kv" | "database">,
  mortal = new MortalProcess(Number.POSITIVE_INFINITY),
): LobsterNode {
  type Factory = (context: ToolFactoryContext) => AnyAgentTool[] | null;
  let factory: Factory | undefined;
  let service: { start(context: Pick<PluginServiceContext, "repeat">): Promise<void> } | undefined;
  let resolved: (approval: ResolvedApproval) => Promise<void> = async () => undefined;
  const callTool = async ({ tool }: Pick<NestedToolCall, "tool">): Promise<NestedToolResult> => {
    await mortal.write(async () => void world.executed.push(tool));
    return {
      status: "ok",
      toolCallId: tool,
      content: [{ type: "text", text: JSON.stringify(itemsOf(tool)) }],
    };
  };
  const execute = async (params: Readonly<Record<string, JsonValue>>) => {
    const context = {
      sessionKey: SESSION,
      agentId: "main",
      workspaceDir: "/",
      requester,
      callTool,
    };
    const [tool] = factory?.(context as unknown as ToolFactoryContext) ?? [];
    if (tool === undefined) throw new Error("the plugin has no tool");
    const { signal } = new AbortController();
    const result = await tool.execute("call-1", params as never, signal, () => undefined);
    if (!isToolResult(result)) throw new Error("the tool has no result");
    return result;
  };
  const api = {
    pluginConfig: { modelMayApprove: false },
    store: mortal.store({ ...store, secrets: world.secrets }),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    runtime: {
      logging: { redact: redacted },
      agent: {
        callTool: async ({ params }: { params: Record<string, JsonValue> }) => ({
          status: "ok",
          toolCallId: "c",
          ...(await execute(params)),
        }),
      },
    },
    approvals: {
      submit: (request: ApprovalRequest) =>
        mortal.write(async () => {
          const id = `approval-${world.approvals.size}`;
          world.submitted.push(request);
          world.approvals.set(id, { id, sessionKey: request.sessionKey });
          return { status: "pending", id, code: id.toUpperCase() };
        }),
      cancel: (id: string) =>
        mortal.write(async () => {
          const record = world.approvals.get(id);
          if (record === undefined || record.decision !== undefined) return false;
          world.approvals.set(id, { ...record, decision: "cancelled" });
          return true;
        }),
      get: async (id: string) => world.approvals.get(id),
      onResolved(handler: typeof resolved) {
        resolved = handler;
      },
    },
    session: {
      workflow: {
        enqueueNextTurnInjection: ({
          text,
          idempotencyKey = "",
        }: {
          text: string;
          idempotencyKey?: string;
        }) =>
          mortal.write(async () => {
            if (!world.told.has(idempotencyKey)) world.told.set(idempotencyKey, text);
          }),
      },
    },
    lifecycle: { registerRuntimeLifecycle() {} },
    registerTool(made: Factory) {
      factory = made;
    },
    registerService(registered: typeof service) {
      service = registered;
    },
    registerCli() {},
    registerGatewayMethod() {},
  };
  createLobsterPlugin(() => ({ run: runInProcess })).register(
    api as unknown as OpenClawPluginApi<never>,
  );
  return {
    // Tests last shorter than the first repeat.
    start: async () => await service?.start({ repeat: () => undefined }),
    call: async (params) => (await execute(params)).details as Envelope,
    async decide(id, decision = "allow-once") {
      const record = world.approvals.get(id);
      if (record === undefined) throw new Error(`no approval request ${id}`);
      const decided = { ...record, decision, decidedBy: "terminal:other" };
      world.approvals.set(id, decided);
      await resolved({ ...decided, pluginId: "lobster" });
    },
  };
}

/** Secret that the host of the tests knows. */
export const SECRET = "hunter2";

function redacted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(SECRET, "[REDACTED]"));
}

/** Returns the result of a tool: one item, or as many as its name says. */
function itemsOf(tool: string): readonly object[] {
  const [, count = "1"] = /^items-(\d+)$/.exec(tool) ?? [];
  return Array.from({ length: Number(count) }, () => ({ by: tool }));
}

function isToolResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && "content" in value;
}
