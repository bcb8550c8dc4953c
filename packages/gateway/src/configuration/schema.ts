import {
  type AgentDefaults,
  agentDefaultsSchema,
  type SkillsConfiguration,
  skillsSchema,
  type ToolExecutionConfiguration,
  toolExecutionSchemas,
} from "@openclaw/agent";
import { type ApprovalsConfiguration, approvalsSchema } from "@openclaw/approval-broker";
import {
  agentRouteSchemas,
  type Binding,
  bindingsSchema,
  type SessionConfiguration,
  sessionConfigurationSchema,
} from "@openclaw/messaging";
import { type PluginsConfiguration, pluginsConfigurationSchema } from "@openclaw/plugin-runtime";
import { type SafetyRuleConfig, type SafetySettings, safetyConfigSchema } from "@openclaw/safety";
import { type StoreConfiguration, storeConfigurationSchema } from "@openclaw/store";
import { type ToolPolicyConfig, toolPolicyConfigSchema } from "@openclaw/tool-policy";
import { Type } from "typebox";

/** Where the host listens. */
export interface GatewaySection {
  /** Port on loopback; 0 lets the system choose. */
  port?: number;
  auth?: {
    /** Bearer token in place of the generated one; at least 24 ASCII characters, no spaces. */
    token?: string;
  };
}

/** How much the log holds. */
export interface LoggingSection {
  level?: "debug" | "info" | "warn" | "error" | "silent";
}

/** What tools may be given and give. */
export interface SafetySection
  extends SafetyRuleConfig,
    Omit<SafetySettings, "maxLength" | "rules" | "binaries"> {
  /** Most UTF-8 bytes of a tool's output, at least 256; default 100,000. */
  maxOutputLength?: number;
  /** The only programs that shell commands may run; any program when absent. */
  binaries?: {
    /** False leaves out the built-in list of common programs. */
    usual?: boolean;
    /** Names of additional programs. */
    allow?: string[];
  };
}

/** The configuration as its file gives it: each package's section under its key; all is optional. */
export interface OpenClawConfiguration
  extends Pick<ToolPolicyConfig, "groups" | "channels" | "sandbox"> {
  $schema?: string;
  gateway?: GatewaySection;
  logging?: LoggingSection;
  agents?: {
    defaults?: AgentDefaults;
    /** Turns that run at once over all sessions; default 16. */
    maxConcurrentTurns?: number;
  };
  /** Which agent a message is for; the first entry that matches counts. */
  bindings?: readonly Binding[];
  session?: SessionConfiguration;
  /** Which tools there are (POL-008 to POL-014), and how they run. */
  tools?: NonNullable<ToolPolicyConfig["tools"]> & ToolExecutionConfiguration;
  /** How people are asked, and who may answer. */
  approvals?: ApprovalsConfiguration;
  plugins?: PluginsConfiguration;
  skills?: SkillsConfiguration;
  safety?: SafetySection;
  store?: StoreConfiguration;
  readonly [section: string]: unknown;
}

const closed = { additionalProperties: false };

const gatewaySchema = Type.Object(
  {
    port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        default: 18_789,
        description: "Port on loopback; 0 lets the system choose. OPENCLAW_PORT overrides it.",
      }),
    ),
    auth: Type.Optional(
      Type.Object(
        {
          token: Type.Optional(
            Type.String({
              minLength: 24,
              pattern: "^[!-~]*$",
              description: "Bearer token instead of the generated one: ASCII without spaces.",
            }),
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, description: "Listener of the gateway." },
);

const loggingSchema = Type.Object(
  {
    level: Type.Optional(
      Type.Enum(["debug", "info", "warn", "error", "silent"], {
        default: "info",
        description: "Lowest level that is logged.",
      }),
    ),
  },
  { ...closed, description: "The log." },
);

const { tools, agents, groups, channels, sandbox } = toolPolicyConfigSchema.properties;

/** JSON Schema of the whole file, put together from the sections that the packages own. */
export const configurationSchema = {
  type: "object",
  properties: {
    $schema: { type: "string", description: "URL or path of a JSON Schema, for editors." },
    gateway: gatewaySchema,
    logging: loggingSchema,
    agents: {
      type: "object",
      "x-key": "id",
      description: "Settings of every agent, and of each agent under its id.",
      properties: {
        defaults: agentDefaultsSchema,
        maxConcurrentTurns: Type.Integer({
          minimum: 1,
          maximum: 1000,
          default: 16,
          description: "Maximum number of turns that run at the same time over all sessions.",
        }),
      },
      additionalProperties: {
        type: "object",
        properties: { ...agents.additionalProperties.properties, ...agentRouteSchemas },
        ...closed,
      },
    },
    tools: {
      ...tools,
      description: "Tools that agents have, and how they run.",
      properties: { ...tools.properties, ...toolExecutionSchemas },
    },
    groups: { ...groups, description: "Tools of groups on every channel." },
    channels: { ...channels, description: "Senders of one channel, and tools of its groups." },
    sandbox: { ...sandbox, description: "Another place of tools.sandbox." },
    approvals: approvalsSchema,
    plugins: pluginsConfigurationSchema,
    skills: skillsSchema,
    bindings: bindingsSchema,
    session: sessionConfigurationSchema,
    safety: safetyConfigSchema,
    store: storeConfigurationSchema,
  },
  ...closed,
} as const;
