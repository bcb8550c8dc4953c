import { defined } from "@openclaw/foundation";
import { type Static, Type } from "typebox";
import { type QuietHours, quietHoursSchema } from "../quiet-hours.js";

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

/** The section `heartbeat` of the configuration. */
export const heartbeatConfigurationSchema = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ default: false, description: "True checks the tasks of HEARTBEAT.md." }),
    ),
    intervalSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 604_800,
        default: 1800,
        description: "Time between two heartbeats.",
      }),
    ),
    agentId: name("Agent whose workspace has HEARTBEAT.md; the default agent when absent."),
    model: name("Model of the heartbeats, `provider/model`; that of the agent when absent."),
    channel: name(
      "Channel that gets what a heartbeat has to tell; when absent, each channel on which the operator wrote.",
    ),
    to: name(
      "Conversation on that channel, for example a chat ID; when absent, the one in which the operator wrote last.",
    ),
    accountId: name("Account of the channel; default when absent."),
    quietHours: Type.Optional(quietHoursSchema),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        examples: ["Europe/Berlin"],
        description: "IANA zone of the quiet hours; `routines.timezone` when absent.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description: "The heartbeat: the agent checks the tasks of HEARTBEAT.md by itself.",
  },
);

/** The section `heartbeat` as its file gives it. */
export type HeartbeatConfiguration = Static<typeof heartbeatConfigurationSchema>;

/** Settings of the heartbeat; they are read at each use, because a reload changes them. */
export interface HeartbeatSettings {
  readonly enabled: boolean;
  readonly everyMs: number;
  readonly agentId: string;
  readonly timezone: string;
  readonly model?: string | undefined;
  readonly channel?: string | undefined;
  readonly to?: string | undefined;
  readonly accountId?: string | undefined;
  readonly quietHours?: QuietHours | undefined;
}

/**
 * Returns the settings of the heartbeat.
 * @param section - the section `heartbeat`, with the values of environment variables
 * @param standards - agent and zone when the section names none
 */
export function heartbeatSettings(
  {
    enabled = false,
    intervalSeconds = 1800,
    agentId,
    timezone,
    ...others
  }: HeartbeatConfiguration = {},
  standards: Pick<HeartbeatSettings, "agentId" | "timezone">,
): HeartbeatSettings {
  const everyMs = intervalSeconds * 1000;
  return { ...standards, ...others, enabled, everyMs, ...defined({ agentId, timezone }) };
}
