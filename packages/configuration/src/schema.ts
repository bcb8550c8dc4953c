import {
  type AgentDefaults,
  type AgentRuntimeSetting,
  agentDefaultsSchema,
  agentRuntimeSchema,
  type ModelCostConfiguration,
  modelCostSchemas,
  type SkillsConfiguration,
  skillsSchema,
  type ToolExecutionConfiguration,
  toolExecutionSchemas,
} from "@openclaw/agent";
import { type ApprovalsConfiguration, approvalsSchema } from "@openclaw/approval-broker";
import { type JobsConfiguration, jobsConfigurationSchema } from "@openclaw/jobs";
import {
  agentRouteSchemas,
  type Binding,
  bindingsSchema,
  channelSettingsSchemas,
  type InboxConfiguration,
  inboxConfigurationSchema,
  type SessionConfiguration,
  type SpeechSection,
  sessionConfigurationSchema,
  speechSchema,
} from "@openclaw/messaging";
import { fallbacksSchema, type ModelsConfiguration, modelsSchema } from "@openclaw/models";
import { type PluginsConfiguration, pluginsConfigurationSchema } from "@openclaw/plugin-discovery";
import {
  type HeartbeatConfiguration,
  heartbeatConfigurationSchema,
  type RoutinesConfiguration,
  routinesConfigurationSchema,
} from "@openclaw/routines";
import { type SafetyRuleConfig, type SafetySettings, safetyConfigSchema } from "@openclaw/safety";
import { type WebhooksConfiguration, webhooksSchema } from "@openclaw/server";
import { type StoreConfiguration, storeConfigurationSchema } from "@openclaw/store";
import { type ToolPolicyConfig, toolPolicyConfigSchema } from "@openclaw/tool-policy";
import { Type } from "typebox";
import { type EmbeddingsSection, embeddingsSchema } from "./sections/embeddings.js";
import { type GatewaySection, gatewaySchema } from "./sections/gateway.js";
import { type McpServerSection, mcpServersSchema } from "./sections/mcp-servers.js";

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** Settings of the log. */
export interface LoggingSection {
  level?: LogLevelName;
  /** Levels of single subsystems, for example `plugins`, which replace `level`. */
  levels?: Readonly<Record<string, LogLevelName>>;
}

/** Name of a level of the log. */
export type LogLevelName = (typeof LOG_LEVELS)[number];

/** Limits for the input and output of tools. */
export interface SafetySection
  extends SafetyRuleConfig,
    Omit<SafetySettings, "maxLength" | "rules" | "binaries"> {
  /** Maximum size of a tool's output in UTF-8 bytes, at least 256; default 100,000. */
  maxOutputLength?: number;
  /** The only programs that shell commands may run; any program when absent. */
  binaries?: {
    /** False leaves out the built-in list of common programs. */
    usual?: boolean;
    /** Names of additional programs. */
    allow?: string[];
  };
}

/** Configuration as written in its file: each package's section under its key; all of them are optional. */
export interface OpenClawConfiguration
  extends Pick<ToolPolicyConfig, "groups" | "channels" | "sandbox"> {
  $schema?: string;
  gateway?: GatewaySection;
  logging?: LoggingSection;
  /** Previews of replies. */
  streaming?: {
    /** True streams text although a hook may still rewrite it (HCR-013). */
    previewBeforeHooks?: boolean;
  };
  agents?: {
    defaults?: AgentDefaults;
    /** Maximum number of turns that run concurrently over all sessions; default 16. */
    maxConcurrentTurns?: number;
  };
  /** Calls of models, their prices, and the limits of their cost. */
  models?: ModelsConfiguration &
    ModelCostConfiguration & {
      /** Runtimes of the turns with a model, or with the models of a provider. */
      agentRuntimes?: Readonly<Record<string, AgentRuntimeSetting>>;
    };
  /** Assignment of messages to agents; the first entry that matches counts. */
  bindings?: readonly Binding[];
  session?: SessionConfiguration;
  inbox?: InboxConfiguration;
  /** Tools that exist (POL-008 to POL-014), and their execution. */
  tools?: NonNullable<ToolPolicyConfig["tools"]> & ToolExecutionConfiguration;
  /** Delivery of approval requests, and the approvers. */
  approvals?: ApprovalsConfiguration;
  plugins?: PluginsConfiguration;
  skills?: SkillsConfiguration;
  safety?: SafetySection;
  embeddings?: EmbeddingsSection;
  /** Work in the background. */
  jobs?: JobsConfiguration;
  routines?: RoutinesConfiguration;
  heartbeat?: HeartbeatConfiguration;
  /** Spoken replies. */
  speech?: SpeechSection;
  store?: StoreConfiguration;
  /** Requests of other services that become messages. */
  webhooks?: WebhooksConfiguration;
  /** Servers of the Model Context Protocol by name. */
  mcpServers?: Readonly<Record<string, McpServerSection>>;
  readonly [section: string]: unknown;
}

const closed = { additionalProperties: false };

const loggingSchema = Type.Object(
  {
    level: Type.Optional(
      Type.Enum([...LOG_LEVELS], {
        default: "info",
        description: "Lowest level that is logged.",
      }),
    ),
    levels: Type.Optional(
      Type.Record(Type.String(), Type.Enum([...LOG_LEVELS]), {
        description: "Levels of single subsystems by name, which replace `level`.",
      }),
    ),
  },
  { ...closed, description: "Log of the gateway." },
);

const streamingSchema = Type.Object(
  {
    previewBeforeHooks: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "True streams the text of replies before hooks that rewrite replies have seen it; recipients may then see text that a hook removes.",
      }),
    ),
  },
  { ...closed, description: "Previews of replies." },
);

const { tools, agents, groups, channels, sandbox } = toolPolicyConfigSchema.properties;

/**
 * Returns the system prompt that the configuration sets for an agent: its own, else that of every agent.
 * @param configuration - configuration of the host
 * @param agentId - ID of the agent
 */
export function instructionsOf(
  { agents = {} }: OpenClawConfiguration,
  agentId: string,
): string | undefined {
  const sections: Readonly<Record<string, unknown>> = agents;
  const own = Object.hasOwn(sections, agentId) ? sections[agentId] : undefined;
  const isSection = typeof own === "object" && own !== null && "instructions" in own;
  return isSection && typeof own.instructions === "string"
    ? own.instructions
    : agents.defaults?.instructions;
}

/** Turns that run at the same time over all sessions, unless `agents.maxConcurrentTurns` says otherwise. */
export const CONCURRENT_TURNS = 16;

/** JSON Schema of the whole file, composed of the sections that the packages own. */
export const configurationSchema = {
  type: "object",
  properties: {
    $schema: { type: "string", description: "URL or path of a JSON Schema, for editors." },
    gateway: gatewaySchema,
    logging: loggingSchema,
    streaming: streamingSchema,
    agents: {
      type: "object",
      "x-key": "id",
      description: "Settings of every agent, and of each agent under its id.",
      properties: {
        defaults: agentDefaultsSchema,
        maxConcurrentTurns: Type.Integer({
          minimum: 1,
          maximum: 1000,
          default: CONCURRENT_TURNS,
          description: "Maximum number of turns that run at the same time over all sessions.",
        }),
      },
      additionalProperties: {
        type: "object",
        properties: {
          ...agents.additionalProperties.properties,
          ...agentRouteSchemas,
          fallbacks: Type.Optional(fallbacksSchema),
          agentRuntime: Type.Optional(agentRuntimeSchema),
        },
        ...closed,
      },
    },
    models: {
      ...modelsSchema,
      properties: {
        ...modelsSchema.properties,
        ...modelCostSchemas,
        agentRuntimes: Type.Optional(
          Type.Record(Type.String(), agentRuntimeSchema, {
            "x-key": "provider or provider/model",
            description: "What runs the turns with a model, or with the models of a provider.",
          }),
        ),
      },
    },
    tools: {
      ...tools,
      description: "Tools that agents have, and how they run.",
      properties: { ...tools.properties, ...toolExecutionSchemas },
    },
    groups: { ...groups, description: "Tools of groups on every channel." },
    channels: {
      ...channels,
      description: "Settings of one channel: its accounts, senders, groups and tools.",
      additionalProperties: {
        properties: { ...channels.additionalProperties.properties, ...channelSettingsSchemas },
      },
    },
    sandbox: { ...sandbox, description: "Alternative location of tools.sandbox." },
    approvals: approvalsSchema,
    plugins: pluginsConfigurationSchema,
    skills: skillsSchema,
    bindings: bindingsSchema,
    session: sessionConfigurationSchema,
    inbox: inboxConfigurationSchema,
    safety: safetyConfigSchema,
    embeddings: embeddingsSchema,
    jobs: jobsConfigurationSchema,
    routines: routinesConfigurationSchema,
    heartbeat: heartbeatConfigurationSchema,
    speech: speechSchema,
    store: storeConfigurationSchema,
    webhooks: webhooksSchema,
    mcpServers: mcpServersSchema,
  },
  ...closed,
} as const;
