import type { TurnDependencies } from "@openclaw/agent";
import { checkedDocument, parseConfigurationDocument } from "@openclaw/configuration";
import { defined, nearestName } from "@openclaw/foundation";
import { type MessageRouter, SessionNotFoundError, subagentBounds } from "@openclaw/messaging";
import {
  type EventPublisher,
  type PolicyAnswer,
  type PolicyQuestion,
  policyMethods,
} from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import {
  canonicalToolName,
  type PolicyCase,
  type PolicyContext,
  type PolicyTool,
  parsePolicyCases,
  runPolicyCases,
} from "@openclaw/tool-policy";
import { ToolNotFoundError } from "../errors.js";
import { candidatePolicy } from "../host/policy.js";
import { comparePolicy } from "./policy-comparison.js";
import { explainRecorded } from "./recorded-decision.js";

/** Dependencies of {@link createPolicyMethods}. */
export interface PolicyMethodDependencies {
  /** Services for turns that start now. */
  readonly services: Pick<TurnDependencies, "policy">;
  readonly store: Pick<Store, "sessions" | "messages" | "decisions">;
  readonly agents: Pick<MessageRouter, "agentIds" | "modelOf">;
  /** Returns the tools of WebAssembly components, which can change at any time. */
  componentTools(): Promise<readonly PolicyTool[]>;
  /** Default model of turns, as `provider/model`. */
  readonly model: string;
  /** Tells clients how far a comparison is. */
  readonly events: EventPublisher;
}

/**
 * Creates the policy methods, which evaluate the policy that turns use.
 * @param host - policy, sessions and model
 */
export function createPolicyMethods(
  host: PolicyMethodDependencies,
): MethodRegistry<typeof policyMethods> {
  return MethodRegistry.of(policyMethods, {
    "policy.explain": async (question) => {
      if ("decisionId" in question) return explainRecorded(question.decisionId, host.store);
      const { policy } = host.services;
      const tool = await findTool(policy.tools, question.tool, host);
      return policy.explain(tool, await contextOf(question, host)) satisfies PolicyAnswer;
    },
    "policy.matrix": async () => {
      const { policy } = host.services;
      const agents = host.agents.agentIds;
      const contexts = await Promise.all(
        agents.map((agentId) =>
          contextOf({ tool: "", agentId, model: host.agents.modelOf(agentId) }, host),
        ),
      );
      const tools = (await currentTools(policy.tools, host)).map((tool) => ({
        tool: tool.name,
        ...defined({ pluginId: tool.pluginId }),
        cells: contexts.map((context, index) => {
          const { allowed, decidedBy, approval } = policy.explain(
            tool,
            context,
          ) satisfies PolicyAnswer;
          return { agentId: agents[index] ?? "", allowed, decidedBy, ...defined({ approval }) };
        }),
      }));
      return { agents: [...agents], tools };
    },
    "policy.test": async ({ files }) => {
      const { policy } = host.services;
      const components = await host.componentTools();
      const cases = files.flatMap(({ file, document }) => {
        const read = parsePolicyCases(document).map((each) => withComponent(each, components));
        return runPolicyCases(policy, read).map((result) => ({ file, ...result }));
      });
      return { passed: cases.every(({ passed }) => passed), cases };
    },
    "policy.whatIf": async ({ configuration: { file, text }, jobId, ...calls }, { signal }) => {
      // Without includes and variables, which a client could use to read files and variables of this host.
      const configuration = await checkedDocument(parseConfigurationDocument(text, file));
      const candidate = candidatePolicy(configuration, host.services.policy.tools);
      return comparePolicy(candidate, calls, host.store, {
        signal,
        onProgress(progress) {
          if (jobId !== undefined) host.events.publish("policy.progress", { jobId, ...progress });
        },
      });
    },
  });
}

/** Returns the tools of the policy and those of components, which are loaded while the host runs. */
async function currentTools(
  tools: readonly PolicyTool[],
  host: Pick<PolicyMethodDependencies, "componentTools">,
): Promise<readonly PolicyTool[]> {
  const known = new Set(tools.map(({ name }) => canonicalToolName(name)));
  const components = await host.componentTools();
  return [...tools, ...components.filter(({ name }) => !known.has(canonicalToolName(name)))];
}

/** Returns a case with the tool of the component that it names, which the policy does not know. */
function withComponent(policyCase: PolicyCase, components: readonly PolicyTool[]): PolicyCase {
  const { tool } = policyCase;
  const given = typeof tool === "string" ? { name: tool } : tool;
  const name = canonicalToolName(given.name);
  const component = components.find((each) => canonicalToolName(each.name) === name);
  return component === undefined ? policyCase : { ...policyCase, tool: { ...component, ...given } };
}

async function findTool(
  tools: readonly PolicyTool[],
  name: string,
  host: Pick<PolicyMethodDependencies, "componentTools">,
): Promise<PolicyTool> {
  const canonical = canonicalToolName(name);
  const among = (list: readonly PolicyTool[]) =>
    list.find((tool) => canonicalToolName(tool.name) === canonical);
  const known = among(tools);
  // Plugins are asked for nothing that the core decides.
  if (known?.origin === "core") return known;
  const found = among(await host.componentTools()) ?? known;
  if (found !== undefined) return found;
  throw new ToolNotFoundError(
    name,
    nearestName(
      name,
      tools.map((tool) => tool.name),
    ),
  );
}

/**
 * Returns the circumstances of the session, if one is given; the circumstances in the query override them.
 */
async function contextOf(
  question: PolicyQuestion,
  host: PolicyMethodDependencies,
): Promise<PolicyContext> {
  const { tool: _tool, sessionKey, ...said } = question;
  const { model, ...circumstances } =
    sessionKey === undefined ? {} : await circumstancesOf(sessionKey, host);
  const [provider = "", ...modelId] = (said.model ?? model ?? host.model).split("/");
  return {
    agentId: "main",
    // A query without a sender is the operator's.
    senderIsOwner: true,
    sandboxed: false,
    subagentDepth: 0,
    ...circumstances,
    // A sender other than the session's is the owner only if the query says so.
    ...defined({ senderIsOwner: said.senderId === undefined ? undefined : false }),
    ...said,
    ...(modelId.length > 0 && { provider: said.provider ?? provider, model: modelId.join("/") }),
  };
}

async function circumstancesOf(
  sessionKey: string,
  { store }: PolicyMethodDependencies,
): Promise<Partial<PolicyContext>> {
  const session = await store.sessions.get(sessionKey);
  if (session === undefined) {
    const known = await store.sessions.list({ limit: 100 });
    const keys = known.map((each) => each.sessionKey);
    throw new SessionNotFoundError(sessionKey, nearestName(sessionKey, keys));
  }
  const { agentId, channel, model } = session;
  const latest = await store.messages.inbox.latest(sessionKey);
  const bounds = await subagentBounds(sessionKey, store);
  return defined({
    agentId,
    subagentDepth: bounds?.depth,
    parentPolicy: bounds?.parentTools,
    runAllow: bounds?.tools,
    channel: latest?.channel ?? channel,
    model,
    senderId: latest?.senderId,
    senderIsOwner: latest && latest.metadata.senderIsOwner === true,
  });
}
